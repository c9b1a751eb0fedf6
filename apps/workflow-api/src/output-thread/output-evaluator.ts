import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isSystemError } from '@weir/foundation';
import type { OutputResult, OutputRequest } from './output-request';

export interface OutputEvaluator {
  /** Evaluates the outputs of one attempt in bounded time and memory. */
  evaluate(request: OutputRequest, signal: AbortSignal): Promise<OutputResult>;
}

export interface OutputEvaluatorOptions {
  /** File of the bundled worker. */
  readonly workerFile: string;
  /** Milliseconds for the outputs of one attempt. Default: 10,000. */
  readonly deadlineMs?: number;
  /** Limits the number of threads; waiting for a permit does not count against the deadline. */
  readonly permits: { acquire(signal: AbortSignal): Promise<(() => void) | undefined> };
}

const maxHeapMiB = 512;
const runStopped = 'the run was stopped';
const tooCostly = 'evaluating the outputs takes too long or too much memory';

/** Evaluates each request in a new thread, because hostile expressions and schemas may never end. */
export function createOutputEvaluator({
  workerFile,
  deadlineMs = 10_000,
  permits,
}: OutputEvaluatorOptions): OutputEvaluator {
  return {
    evaluate: async (request, signal) => {
      const release = await permits.acquire(signal);
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
    // `once` rejects with the error that ends the thread.
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
    // The thread processes untrusted input and needs nothing of this process.
    env: {},
    execArgv: [],
    // Messages of jq may quote values and must not reach the output of the server.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  });
}
