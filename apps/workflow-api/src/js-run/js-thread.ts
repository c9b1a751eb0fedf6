import { Worker } from 'node:worker_threads';
import { isSystemError } from '@weir/foundation';
import type { JsResult, JsCall, JsCallContext } from './js-call';
import { watchMemory } from './memory-watch';
import type { ThreadMessage, ThreadRequest } from './thread-messages';

export interface JsThreadOptions {
  /** File of the bundled `js-worker`. */
  readonly workerFile: string;
  readonly heapMb: number;
  /** The thread is free for the next call. */
  readonly onReady: () => void;
  /** The thread has ended or was terminated. */
  readonly onEnded: () => void;
}

interface Task {
  readonly call: JsCall;
  readonly context: JsCallContext;
  readonly resolve: (answer: JsResult) => void;
  readonly reject: (error: unknown) => void;
  readonly stopWatching: () => void;
}

const maxTimerMs = 2_147_483_647;
/** Time to finish what the function left behind and to create the next realm. */
const readyDeadlineMs = 1_000;

/** A reusable thread that runs one function at a time. It is terminated when a function does not end by itself. */
export class JsThread {
  readonly heapMb: number;
  readonly #options: JsThreadOptions;
  readonly #worker: Worker;
  #task: Task | undefined;
  #readyTimer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(options: JsThreadOptions) {
    this.#options = options;
    this.heapMb = options.heapMb;
    this.#worker = new Worker(options.workerFile, {
      name: 'js-run',
      env: {},
      execArgv: ['--no-warnings'],
      // Output is not piped to the process, because functions print by messages.
      stdout: true,
      stderr: true,
      // The limit is far above that of a call, which is watched from outside: reaching it can end the whole process.
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb, maxYoungGenerationSizeMb: 16 },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: ThreadMessage) => this.#handleMessage(message));
    this.#worker.on('error', (error) => this.#fail(describeEnd(error, this.#task?.call)));
    this.#worker.on('exit', () => this.#fail('The thread of the function has ended.'));
  }

  /** May be called only while the thread is free: initially and after `onReady`. */
  run(call: JsCall, context: JsCallContext): Promise<JsResult> {
    return new Promise((resolve, reject) => {
      this.#task = { call, context, resolve, reject, stopWatching: this.#watch(call, context.signal) };
      const { code, form, name, language, maxBytes, input } = call;
      const request: ThreadRequest = { code, form, name, language, maxBytes };
      this.#worker.postMessage(input === undefined ? request : { ...request, input: JSON.stringify(input) });
    });
  }

  async stop(): Promise<void> {
    this.#fail('The server is stopping.');
    await this.#worker.terminate();
  }

  #watch({ timeoutMs, memoryMb }: JsCall, signal: AbortSignal): () => void {
    // The timer is not unref'ed, because a pending call keeps the process alive.
    const deadline = setTimeout(
      () => this.#fail(`The function took longer than ${timeoutMs / 1_000} seconds.`),
      Math.min(timeoutMs, maxTimerMs),
    );
    const stopWatching = watchMemory(this.#worker, memoryMb, () => this.#fail(tooMuchMemory(memoryMb)));
    const onAbort = (): void => this.#abort(signal);
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      clearTimeout(deadline);
      stopWatching();
      signal.removeEventListener('abort', onAbort);
    };
  }

  #handleMessage(message: ThreadMessage): void {
    if (this.#isEnded) return;
    if (message.kind === 'printed') this.#task?.context.onPrinted(message.printed);
    else if (message.kind === 'result') this.#finish(message.result);
    else {
      clearTimeout(this.#readyTimer);
      this.#options.onReady();
    }
  }

  #finish(answer: JsResult): void {
    this.#readyTimer = setTimeout(() => this.#end(), readyDeadlineMs).unref();
    this.#settle()?.resolve(answer);
  }

  #abort(signal: AbortSignal): void {
    const task = this.#settle();
    this.#end();
    task?.reject(signal.reason);
  }

  #fail(error: string): void {
    const task = this.#settle();
    this.#end();
    task?.resolve({ kind: 'failed', error });
  }

  #settle(): Task | undefined {
    const task = this.#task;
    this.#task = undefined;
    task?.stopWatching();
    return task;
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#readyTimer);
    void this.#worker.terminate();
    this.#options.onEnded();
  }
}

function describeEnd(error: unknown, call: JsCall | undefined): string {
  if (isSystemError(error, 'ERR_WORKER_OUT_OF_MEMORY')) return tooMuchMemory(call?.memoryMb ?? 0);
  return 'The thread of the function has failed.';
}

function tooMuchMemory(memoryMb: number): string {
  return `The function used more than ${memoryMb} MB of memory.`;
}
