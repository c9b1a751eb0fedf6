import { AppError } from '@weir/foundation';
import type { Resource } from '@weir/service-kit';
import type { RunJs } from '@weir/workflow-engine';
import type { JsResult, JsCall, JsCallContext } from './js-call';
import { JsThread } from './js-thread';

export interface JsRunner extends Resource {
  readonly run: RunJs;
}

export interface JsPoolOptions {
  /** File of the bundled `js-worker`. */
  readonly workerFile: string;
  /** Maximum number of threads; each is started on demand and reused. */
  readonly threads: number;
  /** Limits the calls that wait for a thread. Default: 10,000. */
  readonly maxWaiting?: number;
}

interface Job {
  readonly call: JsCall;
  readonly signal: AbortSignal;
  readonly start: (thread: JsThread) => void;
  readonly refuse: (error: Error) => void;
}

const defaultMaxWaiting = 10_000;
const usualHeapMb = 2_048;

/** Runs functions in reused threads, in the order of the calls. */
export class JsPool implements JsRunner {
  readonly name = 'js pool';
  readonly #options: Required<JsPoolOptions>;
  readonly #all = new Set<JsThread>();
  readonly #idle = new Set<JsThread>();
  readonly #waiting = new Set<Job>();
  #isStopped = false;

  constructor(options: JsPoolOptions) {
    this.#options = { maxWaiting: defaultMaxWaiting, ...options };
  }

  async run(call: JsCall, context: JsCallContext): Promise<JsResult> {
    context.signal.throwIfAborted();
    if (this.#isStopped) throw stopped();
    if (this.#waiting.size >= this.#options.maxWaiting) {
      return { kind: 'failed', error: 'Too many functions wait for a thread.' };
    }
    return this.#queue(call, context);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const job of this.#waiting) job.refuse(stopped());
    this.#waiting.clear();
    await Promise.all([...this.#all].map((thread) => thread.stop()));
  }

  #queue(call: JsCall, context: JsCallContext): Promise<JsResult> {
    return new Promise((resolve, reject) => {
      const { signal } = context;
      const onAbort = (): void => {
        this.#waiting.delete(job);
        reject(signal.reason as Error);
      };
      const settled = (): void => signal.removeEventListener('abort', onAbort);
      const job: Job = {
        call,
        signal,
        start: (thread) => {
          settled();
          resolve(thread.run(call, context));
        },
        refuse: (error) => {
          settled();
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(job);
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const job of this.#waiting) {
      // The job was aborted together with the call whose end made room; its own listener runs next.
      if (job.signal.aborted) continue;
      const thread = this.#isStopped ? undefined : this.#findThread(heapFor(job.call));
      if (thread === undefined) return;
      this.#idle.delete(thread);
      this.#waiting.delete(job);
      job.start(thread);
    }
  }

  #findThread(heapMb: number): JsThread | undefined {
    for (const thread of this.#idle) if (thread.heapMb >= heapMb) return thread;
    if (this.#all.size < this.#options.threads) return this.#start(heapMb);
    // An idle thread that is too small is replaced.
    const [tooSmall] = this.#idle;
    if (tooSmall === undefined) return undefined;
    this.#remove(tooSmall);
    void tooSmall.stop();
    return this.#start(heapMb);
  }

  #start(heapMb: number): JsThread {
    const thread: JsThread = new JsThread({
      workerFile: this.#options.workerFile,
      heapMb,
      onReady: () => {
        this.#idle.add(thread);
        this.#dispatch();
      },
      onEnded: () => {
        this.#remove(thread);
        this.#dispatch();
      },
    });
    this.#all.add(thread);
    return thread;
  }

  #remove(thread: JsThread): void {
    this.#idle.delete(thread);
    this.#all.delete(thread);
  }
}

/** Returns a limit far above that of the call, which is enforced from outside; see {@link JsThread}. */
function heapFor({ memoryMb }: JsCall): number {
  return Math.max(usualHeapMb, 2 * memoryMb);
}

function stopped(): AppError {
  return new AppError('unavailable', 'The server is stopping.', { reason: 'js_stopped' });
}
