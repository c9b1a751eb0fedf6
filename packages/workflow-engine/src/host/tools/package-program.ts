import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalCommandExecutor } from '../local-command/step-command';
import { nodeStatus } from '../../model/statuses/node-status';
import { toolFailed } from './tool-errors';

/** Runs the program of a package manager. */
export type RunPackageProgram = (order: PackageOrder) => Promise<void>;

export interface PackageOrder {
  readonly program: string;
  readonly args: readonly string[];
  /** Its last lines are in the error. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

const shownCharacters = 400;

/** Package managers get the environment of the server, with which they find their registries. */
export function createPackageProgram(
  commands: LocalCommandExecutor,
  hostEnv: Readonly<Record<string, string | undefined>>,
): RunPackageProgram {
  const passed = Object.entries(hostEnv).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('WEIR_'),
  );
  return async ({ program, args, folder, signal }) => {
    const log = join(folder, 'install.log');
    await writeFile(log, '');
    const outcome = await commands.run(
      {
        run: { kind: 'program', program, args },
        shell: [],
        isStepShell: false,
        cwd: folder,
        env: Object.fromEntries(passed),
        stdoutFile: log,
        stderrFile: log,
      },
      { signal, onStarted: () => undefined },
    );
    if (nodeStatus.isSuccessful(outcome.status)) return;
    signal.throwIfAborted();
    const written = (await readFile(log, 'utf8')).trim().slice(-shownCharacters);
    throw toolFailed(`${program} has failed: ${written === '' ? (outcome.error ?? '') : written}`);
  };
}
