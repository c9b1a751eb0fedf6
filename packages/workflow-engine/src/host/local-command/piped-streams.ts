import { closeSync, write } from 'node:fs';
import { promisify } from 'node:util';
import type { Masker } from '../../values/masking/masker';
import { logsNotWritable } from '../logs/log-errors';
import { openLog, type OpenLog } from '../logs/log-files';
import { openPipes, type Pipe } from './pipes';
import type { StepCommand } from './step-command';

/** Both streams of a child that are piped through this process. */
export interface PipedStreams {
  /** File descriptors for the child. */
  readonly out: number;
  readonly err: number;
  /** Size of the stderr file before the child started. */
  readonly stderrStartBytes: number;
  /** To be called once the child has inherited the descriptors, or never will. */
  handedOver(): void;
  /**
   * To be called once the child has ended. Resolves when all its output is in the files; what processes in the background
   * write later is dropped. Throws `logs_not_writable`.
   */
  drained(): Promise<void>;
}

const writeTo = promisify(write);
// How long to wait for output of processes that are still there.
const drainMs = 2_000;

/** Whether the output has to pass through this process. */
export function isPiped({ masker, copies }: StepCommand): boolean {
  return masker !== undefined || copies?.stdoutFile !== undefined || copies?.stderrFile !== undefined;
}

/**
 * Connects both streams by pipes to their files: the masked log, and a copy where requested. Streams with a common log
 * and no copies share a pipe, which preserves the order of output.
 */
export async function openPipedStreams(command: StepCommand, tempDir: string): Promise<PipedStreams> {
  const { stdoutFile, stderrFile, copies, masker } = command;
  const out = listFiles(stdoutFile, copies?.stdoutFile);
  const err = listFiles(stderrFile, copies?.stderrFile);
  const isShared = out.length === 1 && err.length === 1 && stdoutFile === stderrFile;
  const pipes = await openPipes(isShared ? 1 : 2, tempDir);
  const [outPipe, errPipe = outPipe] = pipes;
  const logs: OpenLog[] = [];
  try {
    if (outPipe === undefined || errPipe === undefined) throw new Error('There is no pipe.');
    const targets = (isShared ? [out] : [out, err]).map((files) => files.map((file) => openInto(logs, file)));
    const errLog = targets.at(-1)?.[0];
    const flows = pipes.map((pipe, index) => flow(pipe, targets[index] ?? [], masker));
    return {
      out: outPipe.writeFd,
      err: errPipe.writeFd,
      stderrStartBytes: errLog?.startBytes ?? 0,
      handedOver: () => closeWriters(pipes),
      drained: () => drain(flows, logs),
    };
  } catch (error) {
    closeWriters(pipes);
    for (const { output } of pipes) output.destroy();
    for (const { fd } of logs) closeSync(fd);
    throw error;
  }
}

function listFiles(log: string, copy: string | undefined): readonly string[] {
  return copy === undefined ? [log] : [log, copy];
}

function openInto(logs: OpenLog[], file: string): OpenLog {
  const log = openLog(file);
  logs.push(log);
  return log;
}

function closeWriters(pipes: readonly Pipe[]): void {
  for (const { writeFd } of pipes) closeSync(writeFd);
}

interface Flow {
  /** Resolves to the error that prevented writing, or to `undefined`. Never rejects. */
  readonly done: Promise<unknown>;
  /** What comes later is read and dropped: a process in the background shall not get SIGPIPE. */
  giveUp(): void;
}

/** Reads on only after each part is written, so that a fast command has to wait for the disk. */
function flow({ output }: Pipe, logs: readonly OpenLog[], masker: Masker | undefined): Flow {
  const masking = masker?.stream();
  let isGivenUp = false;
  let writing: Promise<unknown> = Promise.resolve();
  const ended = new Promise<unknown>((resolve) => {
    output.on('error', resolve).once('close', () => resolve(undefined));
    output.on('data', (part: Buffer) => {
      if (isGivenUp) return;
      output.pause();
      const fail = (error: unknown): void => {
        resolve(error);
        // The command gets SIGPIPE when it continues to write output that cannot be stored.
        output.destroy();
      };
      writing = writeAll(logs, masking?.push(part) ?? part).then(() => output.resume(), fail);
    });
  });
  const [givenUp, giveUp] = createSwitch();
  return {
    done: finish(Promise.race([ended, givenUp]), async () => {
      await writing;
      if (masking !== undefined) await writeAll(logs, masking.end());
    }),
    giveUp: () => {
      isGivenUp = true;
      output.resume();
      output.unref();
      giveUp();
    },
  };
}

function createSwitch(): readonly [Promise<void>, () => void] {
  let set = (): void => undefined;
  const isSet = new Promise<void>((resolve) => (set = resolve));
  return [isSet, () => set()];
}

async function finish(ended: Promise<unknown>, writeRest: () => Promise<void>): Promise<unknown> {
  const problem = await ended;
  try {
    await writeRest();
    return problem;
  } catch (error) {
    return problem ?? error;
  }
}

async function writeAll(logs: readonly OpenLog[], bytes: Uint8Array): Promise<void> {
  for (const { fd } of logs) {
    for (let at = 0; at < bytes.length;) at += (await writeTo(fd, bytes, at, bytes.length - at, null)).bytesWritten;
  }
}

async function drain(flows: readonly Flow[], logs: readonly OpenLog[]): Promise<void> {
  const timer = setTimeout(() => {
    for (const each of flows) each.giveUp();
  }, drainMs);
  const problems = await Promise.all(flows.map(({ done }) => done));
  clearTimeout(timer);
  for (const { fd } of logs) closeSync(fd);
  const problem = problems.find((each) => each !== undefined);
  if (problem !== undefined) throw logsNotWritable(problem);
}
