import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isSystemError } from '@weir/errors';
import type { OutputResult, OutputRequest } from './output-request';

export interface OutputEvaluator {
  /** Works out the outputs of one attempt, in bounded time and memory. */
  evaluate(request: OutputRequest, signal: AbortSignal): Promise<OutputResult>;
}

export interface OutputEvaluatorOptions {
  /** File of the worker's code. */
  readonly workerFile: string;
  /** How long the outputs of one attempt may take. Default 10 s. */
  readonly deadlineMs?: number;
  /** Bounds the threads at work at the same time; waiting for room does not count against the deadline. */
  readonly permits: { acquire(signal: AbortSignal): Promise<(() => void) | undefined> };
}

const maxHeapMiB = 512;
const runStopped = 'the run was stopped';
const tooCostly = 'the outputs take too long or too much memory to be worked out';

/** Gives each request a thread of its own: expressions and schemas of strangers can be made to run for ever. */
export function createOutputEvaluator({
  workerFile,
  deadlineMs = 10_000,
  permits: slots,
}: OutputEvaluatorOptions): OutputEvaluator {
  return {
    evaluate: async (request, signal) => {
      const release = await slots.acquire(signal);
      if (release === undefined) return { problem: runStopped };
      try {
        return await evaluateInThread({ workerFile, deadlineMs }, request, signal);
      } finally {
        release();
      }
    },
  };
}

async function evaluateInThread(
  { workerFile, deadlineMs }: { readonly workerFile: string; readonly deadlineMs: number },
  request: OutputRequest,
  signal: AbortSignal,
): Promise<OutputResult> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const ending = AbortSignal.any([signal, deadline]);
  const worker = startWorker(workerFile);
  try {
    worker.postMessage(request);
    // `once` rejects with what ends the thread, and an exit without an answer.
    const exit = once(worker, 'exit', { signal: ending }).then((): OutputResult => ({ problem: tooCostly }));
    const message = once(worker, 'message', { signal: ending }).then(
      ([answer]): OutputResult => answer as OutputResult,
    );
    return await Promise.race([message, exit]);
  } catch (error) {
    if (signal.aborted) return { problem: runStopped };
    if (deadline.aborted || isSystemError(error, 'ERR_WORKER_OUT_OF_MEMORY')) return { problem: tooCostly };
    throw error;
  } finally {
    await worker.terminate();
  }
}

function startWorker(workerFile: string): Worker {
  return new Worker(workerFile, {
    name: 'step-outputs',
    // It reads what strangers wrote, and needs nothing of this process.
    env: {},
    execArgv: [],
    // What jq says of a value must not get into the server's own output.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  });
}
