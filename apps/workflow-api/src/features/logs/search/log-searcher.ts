import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '@weir/foundation';
import type { LogFindings } from './search-log';
import type { SearchRequest } from './search-request';

export interface LogSearcher {
  /** Rejects with the reason of the signal when that is aborted. */
  search(request: SearchRequest, signal: AbortSignal): Promise<LogFindings>;
}

export interface LogSearcherOptions {
  /** File of the bundled worker. */
  readonly workerFile: string;
  /** Limits the number of threads. */
  readonly permits: { acquire(signal: AbortSignal): Promise<(() => void) | undefined> };
}

const maxHeapMiB = 256;

/** Searches each log in a new thread, because a search may occupy a processor for seconds. */
export function createLogSearcher({ workerFile, permits }: LogSearcherOptions): LogSearcher {
  return {
    search: async (request, signal) => {
      const release = await permits.acquire(signal);
      if (release === undefined) throw signal.reason;
      try {
        return await searchInThread(workerFile, request, signal);
      } finally {
        release();
      }
    },
  };
}

async function searchInThread(workerFile: string, request: SearchRequest, signal: AbortSignal): Promise<LogFindings> {
  const worker = new Worker(workerFile, {
    name: 'log-search',
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
  });
  try {
    worker.postMessage(request);
    // `once` rejects with the error that ends the thread.
    const message = once(worker, 'message', { signal }).then(([findings]) => findings as LogFindings);
    const exit = once(worker, 'exit', { signal }).then((): never => {
      throw new AppError('internal', 'The search ended without an answer.');
    });
    return await Promise.race([message, exit]);
  } finally {
    await worker.terminate();
  }
}
