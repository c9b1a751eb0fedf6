import { closeSync, write } from 'node:fs';
import { promisify } from 'node:util';
import type { Masker } from '../masking/masker';
import type { MaskingStream } from '../masking/masking-stream';
import { logsNotWritable } from './command-errors';
import { openLog, type OpenLog } from './log-files';
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
  /** To be called once the child has ended. Resolves when all its output is in the files. Throws `logs_not_writable`. */
  drained(): Promise<void>;
}

const writeTo = promisify(write);
// How long to wait for output of processes that left the process group.
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
  giveUp(): void;
}

function flow({ output }: Pipe, logs: readonly OpenLog[], masker: Masker | undefined): Flow {
  let isGivenUp = false;
  const done = pass(output, logs, masker?.stream()).catch((error: unknown) => (isGivenUp ? undefined : error));
  return {
    done,
    giveUp: () => {
      isGivenUp = true;
      output.destroy();
    },
  };
}

/** Reads on only after each chunk is written, so that a fast command has to wait for the disk. */
async function pass(output: Pipe['output'], logs: readonly OpenLog[], masking: MaskingStream | undefined) {
  try {
    for await (const part of output as AsyncIterable<Buffer>) await writeAll(logs, masking?.push(part) ?? part);
  } finally {
    // The command gets SIGPIPE when it continues to write output that cannot be stored.
    output.destroy();
    if (masking !== undefined) await writeAll(logs, masking.end());
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
