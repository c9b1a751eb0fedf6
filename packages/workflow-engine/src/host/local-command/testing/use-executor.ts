import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkIsolation } from '../../isolation/check-isolation';
import { createNamespaceIsolation } from '../../isolation/namespace-isolation';
import type { Enclosure } from '../../../model/ports/step-isolation';
import type { ProcessIdentity } from '../../../model/steps/step-outcome';
import { createLocalCommandExecutor } from '../local-command-executor';
import type { CommandOutcome, StepCommand } from '../step-command';

const killGraceMs = 200;

/** The executor of the present case. */
export interface ExecutorInUse {
  readonly folder: string;
  /** The processes that it has started so far. */
  readonly started: readonly ProcessIdentity[];
  readonly abort: () => void;
  readonly aCommand: (commands: readonly string[], changes?: Partial<StepCommand>) => StepCommand;
  readonly execute: (command: StepCommand) => Promise<CommandOutcome>;
  readonly run: (...commands: string[]) => Promise<CommandOutcome>;
  readonly stdout: () => Promise<string>;
  readonly inWork: (file: string) => string;
}

/** Gives each case an executor in a folder of its own. */
export function useExecutor({ isIsolated = false }: { readonly isIsolated?: boolean } = {}): ExecutorInUse {
  let folder: string;
  let stop: AbortController;
  let outcomes: Promise<CommandOutcome>[];
  let started: ProcessIdentity[];
  let nowMs: number;
  let enclosure: Enclosure | undefined;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'weir-executor-spec-')));
    stop = new AbortController();
    outcomes = [];
    started = [];
    nowMs = 0;
    if (isIsolated) enclosure = await enclose(folder);
  });

  afterEach(async () => {
    stop.abort();
    await Promise.allSettled(outcomes);
    await enclosure?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const aCommand: ExecutorInUse['aCommand'] = (commands, changes = {}) => ({
    run: { kind: 'commands', commands },
    shell: ['/bin/sh'],
    isStepShell: false,
    cwd: join(folder, 'work'),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdoutFile: join(folder, 'logs', 'step.out'),
    stderrFile: join(folder, 'logs', 'step.err'),
    enclosure,
    ...changes,
  });

  const execute = (command: StepCommand): Promise<CommandOutcome> => {
    const clock = { now: () => new Date((nowMs += 1_000)) };
    const executor = createLocalCommandExecutor({ clock, killGraceMs, tempDir: folder });
    const outcome = executor.run(command, {
      signal: AbortSignal.any([stop.signal]),
      onStarted: (identity) => {
        started.push(identity);
      },
    });
    outcomes.push(outcome);
    return outcome;
  };

  return {
    get folder() {
      return folder;
    },
    get started() {
      return started;
    },
    abort: () => stop.abort(),
    aCommand,
    execute,
    run: (...commands) => execute(aCommand(commands)),
    stdout: () => readFile(join(folder, 'logs', 'step.out'), 'utf8'),
    inWork: (file) => join(folder, 'work', file),
  };
}

/** The content of a file as soon as it has a whole line. */
export const lineIn = async (file: string): Promise<string> => {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text.trim();
    await wait(5);
  }
  throw new Error(`${file} did not get a line in time`);
};

async function enclose(folder: string): Promise<Enclosure> {
  const closed = [join(folder, 'closed')];
  const check = await checkIsolation(closed);
  if ('problem' in check) throw new Error(check.problem);
  const isolation = createNamespaceIsolation({ ...check, closed, open: [], scriptsFolder: join(folder, 'scripts') });
  return isolation.enclose({ id: 'run', folders: [] });
}
