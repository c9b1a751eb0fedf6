import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { nodeStatus } from '../../model/statuses/node-status';
import type { ActionContext } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { durationMs } from '../../values/text/duration';
import { gitEnvironment } from '../../host/packages/git-environment';

/** A git action needs these besides its repository. */
export interface GitSession {
  /** A folder that only the owner reads and that is gone after the action. */
  readonly privateFolder: string;
  /** Runs git and writes what it prints into the log. Throws {@link GitEnded} when it fails. */
  run(args: readonly string[], options?: GitOptions): Promise<void>;
  /** Returns the output of git, trimmed. Throws {@link GitEnded} when git fails. */
  read(args: readonly string[], options?: GitOptions): Promise<string>;
  /** The same, or `undefined` when git fails. */
  find(args: readonly string[], options?: GitOptions): Promise<string | undefined>;
}

export interface GitOptions {
  /** More variables of the environment, which only this call has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of git for this call, `name=value`. */
  readonly config?: readonly string[];
}

/** git has ended without success; the outcome is the one of the step. */
class GitEnded extends Error {
  readonly outcome: StepOutcome;

  constructor(outcome: StepOutcome) {
    super('git has failed');
    this.outcome = outcome;
  }
}

const defaultTimeoutMs = 3_600_000;

type Timed = Pick<ActionContext, 'call' | 'services' | 'signal' | 'onStarted'> & {
  readonly settings: { readonly timeout?: number | string };
};

/** Runs git for one action, supervised, isolated and ended like any command of a step. */
export async function withGit(
  work: Timed,
  folder: string,
  use: (git: GitSession) => Promise<StepOutcome | undefined>,
): Promise<StepOutcome | undefined> {
  const { call, settings, signal } = work;
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const limit = AbortSignal.timeout(timeoutMs);
  const temporary = call.enclosure?.scriptsFolder ?? tmpdir();
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const privateFolder = await mkdtemp(join(temporary, 'weir-git-'));
  try {
    return await use(createSession({ ...work, signal: AbortSignal.any([signal, limit]) }, folder, privateFolder));
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw actionFailed(`There was no end within ${timeoutMs / 1_000} seconds.`);
    if (error instanceof GitEnded) return error.outcome;
    throw error;
  } finally {
    await rm(privateFolder, { recursive: true, force: true });
  }
}

function createSession(work: Timed, folder: string, privateFolder: string): GitSession {
  const { call, services, signal, onStarted } = work;
  const execute = (args: readonly string[], { env = {}, config = [] }: GitOptions, files: Partial<typeof call>) => {
    const words = config.flatMap((each) => ['-c', each]);
    const run = { kind: 'program', program: 'git', args: ['-C', folder, ...words, ...args] } as const;
    const command = {
      ...call,
      ...files,
      env: { ...gitEnvironment(call.env), ...env },
      run,
      shell: [],
      isStepShell: false,
    };
    return services.commands.run(command, { signal, onStarted });
  };
  const read = async (args: readonly string[], options: GitOptions, isFailureShown: boolean) => {
    const stdoutFile = join(privateFolder, 'out');
    const stderrFile = isFailureShown ? call.stderrFile : join(privateFolder, 'err');
    await writeFile(stdoutFile, '');
    const files = { stdoutFile, stderrFile, masker: undefined, copies: undefined, logLimit: undefined };
    const outcome = await execute(args, options, files);
    return { outcome, text: await readStart(stdoutFile, call.maxOutputBytes) };
  };
  return {
    privateFolder,
    run: async (args, options = {}) => {
      assertSucceeded(await execute(args, options, {}));
    },
    read: async (args, options = {}) => {
      const { outcome, text } = await read(args, options, true);
      assertSucceeded(outcome);
      return text;
    },
    find: async (args, options = {}) => {
      const { outcome, text } = await read(args, options, false);
      signal.throwIfAborted();
      return nodeStatus.isSuccessful(outcome.status) ? text : undefined;
    },
  };
}

function assertSucceeded(outcome: StepOutcome): void {
  if (!nodeStatus.isSuccessful(outcome.status)) throw new GitEnded(outcome);
}

async function readStart(file: string, maxBytes: number): Promise<string> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
    if (bytesRead > maxBytes) throw actionFailed(`git has printed more than ${maxBytes} bytes.`);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
