import { isSystemError } from '@weir/foundation';
import { Worker } from 'node:worker_threads';
import type { ParseAnswer, ParseRequest } from './parse-messages';
import { parserFailed, parserStopped, specTooCostly } from './parser-errors';

export interface ParseThreadOptions {
  /** The worker's script. */
  readonly workerFile: string;
  /** After this time the thread is terminated and the spec refused. */
  readonly deadlineMs: number;
}

const maxHeapMiB = 512;

/** A worker thread that parses one spec at a time. It starts with the first spec, and again after it was terminated. */
export class ParseThread {
  readonly #options: ParseThreadOptions;
  #worker: Worker | undefined;
  #endParse: ((error: Error) => void) | undefined;
  #isStopped = false;

  constructor(options: ParseThreadOptions) {
    this.#options = options;
  }

  /** Call it only after the previous call has settled. */
  parse(request: ParseRequest): Promise<ParseAnswer> {
    if (this.#isStopped) return Promise.reject(parserStopped());
    return new Promise<ParseAnswer>((resolve, reject) => {
      const worker = (this.#worker ??= this.#startWorker());
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        worker.off('message', onAnswer);
        this.#endParse = undefined;
        act();
      };
      const onAnswer = (answer: ParseAnswer): void => settle(() => resolve(answer));
      this.#endParse = (error) => settle(() => reject(error));
      // Unlike the thread, the timer keeps the process alive: a caller is waiting for this spec.
      const timer = setTimeout(() => this.#discard(worker, specTooCostly()), this.#options.deadlineMs);
      worker.on('message', onAnswer);
      worker.postMessage(request);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#discard(worker, parserStopped());
    await worker.terminate();
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.workerFile, {
      name: 'dag-parser',
      // The worker parses untrusted text and needs nothing of this process.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB },
    });
    worker.unref();
    worker.on('error', (error) => this.#discard(worker, toParserError(error)));
    worker.on('messageerror', (error) => this.#discard(worker, parserFailed(error)));
    worker.on('exit', (code) => this.#discard(worker, parserFailed(new Error(`The worker exited with code ${code}.`))));
    return worker;
  }

  #discard(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    void worker.terminate();
    this.#endParse?.(error);
  }
}

function toParserError(error: unknown): Error {
  return isSystemError(error, 'ERR_WORKER_OUT_OF_MEMORY') ? specTooCostly(error) : parserFailed(error);
}
