import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { watchdog } from '@weir/test-kit';
import type { Variables } from './runner-types';

export interface ProcessRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment; nothing is inherited. */
  readonly env: Variables;
  readonly deadlineMs: number;
  /** Called for each line of both streams, in order of arrival. */
  readonly onLine: (line: string) => void;
}

export interface ProcessResult {
  /** `null` if a signal ended the process. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly raw: Buffer;
  readonly durationMs: number;
}

/** Runs a program and kills it at the deadline. Rejects if it cannot be started. */
export async function runProcess({ command, args, cwd, env, deadlineMs, onLine }: ProcessRun): Promise<ProcessResult> {
  const start = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  const flushes = [child.stdout, child.stderr].map((stream) => readLines(stream, chunks, onLine));
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
    // A grandchild may keep the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
  }, deadlineMs);
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => watchdog().guardProcess(Number(child.pid)));
      child.once('close', resolve);
    });
    watchdog().releaseProcess(Number(child.pid));
    for (const flush of flushes) flush();
    return { exitCode, timedOut, raw: Buffer.concat(chunks), durationMs: performance.now() - start };
  } finally {
    clearTimeout(deadline);
  }
}

/** Splits at line feeds before decoding, so that no character is split. Returns a function that emits an unfinished line. */
function readLines(stream: Readable, chunks: Buffer[], onLine: (line: string) => void): () => void {
  let rest = Buffer.alloc(0);
  const emit = (line: Buffer) => onLine(line.toString('utf8').replace(/\r$/, ''));
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      emit(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
  });
  return () => {
    if (rest.length > 0) emit(rest);
  };
}
