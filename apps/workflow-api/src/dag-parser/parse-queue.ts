import type { ParseAnswer, ParseRequest } from './parse-messages';
import type { ParseThread } from './parse-thread';
import { parserBusy, parserStopped } from './parser-errors';

export interface ParseQueueOptions {
  readonly thread: ParseThread;
  /** Limits the requests that may wait in addition to the one being parsed. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

export type Lane = 'requests' | 'server';

interface Job {
  readonly request: ParseRequest;
  readonly resolve: (answer: ParseAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Holds the specs that wait for the one thread. The two lanes alternate, so neither waits for all of the other. */
export class ParseQueue {
  readonly #options: ParseQueueOptions;
  readonly #lanes: Readonly<Record<Lane, Set<Job>>> = { requests: new Set(), server: new Set() };
  #lastLane: Lane = 'server';
  #isBusy = false;
  #isStopped = false;

  constructor(options: ParseQueueOptions) {
    this.#options = options;
  }

  parse(request: ParseRequest, lane: Lane): Promise<ParseAnswer> {
    if (this.#isStopped) return Promise.reject(parserStopped());
    const waiting = this.#lanes[lane];
    if (lane === 'requests' && waiting.size >= this.#options.maxWaiting) return Promise.reject(parserBusy());
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(job);
        reject(parserBusy());
      };
      const timer = lane === 'requests' ? setTimeout(giveUp, this.#options.maxWaitMs) : undefined;
      const job: Job = { request, resolve, reject, timer };
      waiting.add(job);
      void this.#work();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (let job = this.#take(); job !== undefined; job = this.#take()) job.reject(parserStopped());
    await this.#options.thread.stop();
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let job = this.#take(); job !== undefined; job = this.#take()) {
      await this.#options.thread.parse(job.request).then(job.resolve, job.reject);
    }
    this.#isBusy = false;
  }

  #take(): Job | undefined {
    const order: readonly Lane[] = this.#lastLane === 'server' ? ['requests', 'server'] : ['server', 'requests'];
    for (const lane of order) {
      const [job] = this.#lanes[lane];
      if (job === undefined) continue;
      this.#lanes[lane].delete(job);
      this.#lastLane = lane;
      clearTimeout(job.timer);
      return job;
    }
    return undefined;
  }
}
