import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitEnvironment } from '../actions/git/git-environment';
import type { LocalCommandExecutor } from '../local-command/step-command';
import { nodeStatus } from '../statuses/node-status';
import { packageFailed } from './package-errors';

/** Runs git in a folder and returns what it prints. Rejects with `package_unavailable` when it fails. */
export type RunGit = (order: GitOrder) => Promise<string>;

export interface GitOrder {
  readonly args: readonly string[];
  /** The repository; what git prints goes into files of it. */
  readonly folder: string;
  /** Whether the configuration of the user counts, which says how hosts are reached. */
  readonly isRemote: boolean;
  readonly signal: AbortSignal;
}

const shownCharacters = 400;
const maxPrintedBytes = 16_777_216;
/** A transfer that stands still for a minute fails; hooks and file monitors are programs. */
const settings = ['http.lowSpeedLimit=1', 'http.lowSpeedTime=60', 'core.hooksPath=/dev/null', 'core.fsmonitor=false'];
/** Filters of files are programs of the host. */
const withoutUser = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };
const sshCommand = 'ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=15 -oServerAliveCountMax=4';

/** git gets the environment of the server except its settings: it finds the credentials of its user. */
export function createGitProgram(
  commands: LocalCommandExecutor,
  hostEnv: Readonly<Record<string, string | undefined>>,
): RunGit {
  const passed = Object.entries(hostEnv).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('WEIR_'),
  );
  const env = { GIT_SSH_COMMAND: sshCommand, ...gitEnvironment(Object.fromEntries(passed)) };
  return async ({ args, folder, isRemote, signal }) => {
    await mkdir(folder, { recursive: true });
    const [stdoutFile, stderrFile] = [join(folder, 'printed.out'), join(folder, 'printed.err')];
    for (const file of [stdoutFile, stderrFile]) await writeFile(file, '');
    const words = settings.flatMap((each) => ['-c', each]);
    const outcome = await commands.execute(
      {
        run: { kind: 'program', program: 'git', args: [...words, ...args] },
        shell: [],
        isStepShell: false,
        cwd: folder,
        env: isRemote ? env : { ...env, ...withoutUser },
        stdoutFile,
        stderrFile,
      },
      { signal, onStarted: () => undefined },
    );
    if (nodeStatus.isSuccessful(outcome.status)) return readPrinted(stdoutFile);
    signal.throwIfAborted();
    const written = (await readFile(stderrFile, 'utf8')).trim().slice(-shownCharacters);
    throw packageFailed(`git has failed: ${written === '' ? (outcome.error ?? '') : written}`);
  };
}

async function readPrinted(file: string): Promise<string> {
  const printed = await readFile(file);
  if (printed.length > maxPrintedBytes) throw packageFailed('git has printed too much.');
  return printed.toString('utf8');
}
