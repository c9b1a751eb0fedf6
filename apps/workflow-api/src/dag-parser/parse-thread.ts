import { isSystemError } from '@weir/errors';
import { Worker } from 'node:worker_threads';
import type { ParseAnswer, ParseRequest } from './parse-messages';
import { parserFailed, parserStopped, specTooCostly } from './parser-errors';

export interface ParseThreadOptions {
  /** File of the worker's code. */
  readonly workerFile: string;
  /** How long one text may take before the thread is ended and the text refused. */
  readonly deadlineMs: number;
}

const maxHeapMiB = 512;

/** A worker thread that parses one text at a time. Started with the first text, and again after it ended. */
export class ParseThread {
  readonly #options: ParseThreadOptions;
  #worker: Worker | undefined;
  #endParse: ((error: Error) => void) | undefined;
  #isStopped = false;

  constructor(options: ParseThreadOptions) {
    this.#options = options;
  }

  /** Only to be called when the text before has been answered. */
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
      // Unlike the thread it keeps the process up: somebody waits for this text.
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
      // It reads what strangers wrote, and needs nothing of this process.
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

  /** The next text gets a new thread. */
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
