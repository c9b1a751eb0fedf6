import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type Docker from 'dockerode';
import { endOrStop, type StopOptions } from '../concurrency/end-or-stop';
import type { ActionLog } from '../logs/action-log';
import { asObject } from '@weir/foundation';
import { followStreams } from './container-streams';
import { engineFailed, isNotThere } from './engine-errors';
import { withDeadline } from './with-deadline';
import type { OpenContainer } from './open-container';

export interface ContainerCommand {
  readonly argv: readonly string[];
  /** Standard input, closed afterwards. */
  readonly input?: string;
  /** `NAME=value` each. */
  readonly env: readonly string[];
  readonly workingDir?: string | undefined;
}

export interface ContainerEnd {
  readonly exitCode: number;
  readonly stderrTail: string;
}

/** Marks all processes of a command, so that they can be found inside the container. */
const markerName = 'WEIR_EXEC_ID';
const pollMs = 20;
const exitWithinMs = 5_000;
/** Exit code of a command that the engine could not start. */
const cannotInvoke = 126;

/** Executes a command in a container; `undefined` when no end was reported after a stop. */
export async function execInContainer(
  open: OpenContainer,
  command: ContainerCommand,
  options: Omit<StopOptions, 'send'> & { readonly log: Pick<ActionLog, 'out' | 'err'> },
): Promise<ContainerEnd | undefined> {
  const marker = randomUUID();
  const { exec, stream } = await start(open, command, marker);
  try {
    const { ended, stderrTail } = followStreams(stream, options.log);
    stream.end(command.input ?? '');
    const exit = ended.then(async () => ({ exitCode: await exitCode(open, exec), stderrTail: stderrTail() }));
    exit.catch(() => undefined);
    return await endOrStop(exit, { ...options, send: (name) => sendSignal(open, name, marker) });
  } finally {
    stream.destroy();
  }
}

async function start(open: OpenContainer, command: ContainerCommand, marker: string) {
  const options = { ...execOptions(open, command, marker), AttachStdin: true };
  try {
    const exec = await withDeadline(open.container.exec(options), 'exec');
    return { exec, stream: await withDeadline(exec.start({ hijack: true, stdin: true, Tty: false }), 'exec') };
  } catch (error) {
    if (await isOver(open)) throw engineFailed('ended');
    throw error;
  }
}

async function isOver({ container }: OpenContainer): Promise<boolean> {
  const isRunning = container.inspect().then(
    ({ State }) => State.Running,
    // With `auto_remove` the engine removes it as soon as it ends.
    (error: unknown) => (isNotThere(error) ? false : Promise.reject(error as Error)),
  );
  return !(await withDeadline(isRunning, 'lost'));
}

function execOptions({ settings }: OpenContainer, { argv, env, workingDir }: ContainerCommand, marker: string) {
  const raw = asObject(settings.exec) ?? {};
  const user = settings.user;
  const given = Array.isArray(raw.Env) ? raw.Env.map(String) : [];
  return {
    ...(user === undefined ? {} : { User: user }),
    ...(workingDir === undefined ? {} : { WorkingDir: workingDir }),
    ...raw,
    Env: [...env, ...given, `${markerName}=${marker}`],
    Cmd: [...argv],
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  };
}

/** The engine reports the exit code shortly after the streams have ended. */
async function exitCode(open: OpenContainer, exec: Docker.Exec): Promise<number> {
  for (let leftMs = exitWithinMs; leftMs > 0; leftMs -= pollMs) {
    const { Running, ExitCode } = await withDeadline(exec.inspect(), 'lost');
    if (!Running && ExitCode !== null) {
      // The container ended between the check and the start of the command.
      if (ExitCode === cannotInvoke && (await isOver(open))) throw engineFailed('ended');
      return ExitCode;
    }
    await wait(pollMs);
  }
  throw engineFailed('lost');
}

/**
 * The engine cannot signal a command that it executes in a running container, so a second command finds the processes by
 * their marker. In a container without a shell they keep running until the container ends.
 */
function sendSignal(open: OpenContainer, name: string, marker: string): void {
  const argv = ['sh', '-c', signalScript, 'sh', name.replace(/^SIG/, ''), `${markerName}=${marker}`];
  const send = async (): Promise<void> => {
    // The signalling command itself must not be marked.
    const { container, settings } = open;
    const exec = await container.exec({
      ...execOptions({ ...open, settings }, { argv, env: [] }, ''),
      AttachStdin: false,
    });
    const stream = await exec.start({});
    stream.on('error', () => undefined);
    stream.resume();
  };
  // Failures are ignored: the end of the command is awaited for a bounded time.
  send().catch(() => undefined);
}

const signalScript = `
for file in /proc/[0-9]*/environ; do
  pid=\${file#/proc/}
  pid=\${pid%/environ}
  if grep -q "$2" "$file" 2>/dev/null; then kill -s "$1" "$pid" 2>/dev/null; fi
done`;
