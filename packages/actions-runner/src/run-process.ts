import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { watchdog } from '@weir/test-kit';
import type { Variables } from './runner-types';

export interface ProcessRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Variables;
  readonly deadlineMs: number;
  /** Called for each line of both streams, in the order they come. */
  readonly onLine: (line: string) => void;
}

export interface ProcessEnd {
  /** `null` where a signal ended it. */
  readonly exitCode: number | null;
  readonly outlivedDeadline: boolean;
  readonly raw: Buffer;
  readonly durationMs: number;
}

/** Runs a program to its end; one that outlives its deadline is killed. Rejects when it cannot be started. */
export async function runProcess({ command, args, cwd, env, deadlineMs, onLine }: ProcessRun): Promise<ProcessEnd> {
  const start = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  const flushes = [child.stdout, child.stderr].map((stream) => readLines(stream, chunks, onLine));
  let outlivedDeadline = false;
  const lifeTime = setTimeout(() => {
    outlivedDeadline = true;
    child.kill('SIGKILL');
    // A grandchild may hold the other ends open.
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
    return { exitCode, outlivedDeadline, raw: Buffer.concat(chunks), durationMs: performance.now() - start };
  } finally {
    clearTimeout(lifeTime);
  }
}

/** Cuts at line feeds before decoding, so that no character is torn. Answers what hands on a last line without one. */
function readLines(stream: Readable, chunks: Buffer[], onLine: (line: string) => void): () => void {
  let rest = Buffer.alloc(0);
  const hand = (line: Buffer) => onLine(line.toString('utf8').replace(/\r$/, ''));
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      hand(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
  });
  return () => {
    if (rest.length > 0) hand(rest);
  };
}
