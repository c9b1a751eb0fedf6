import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { AppError, createWaitList, untilAborted } from '@weir/foundation';
import type { Logger, Resource } from '@weir/service-kit';
import type { CollectedMetrics } from '../features/system';
import { createCalls, isKind, type Connection } from './calls';
import {
  workerVariable,
  type FirstSteps,
  type LeaderCalls,
  type LeaderMessage,
  type WorkerMessage,
} from './worker-link';

export interface GroupOptions {
  readonly workers: number;
  /** The program that a worker executes. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Called for each new worker, before it can do anything. */
  readonly onStarted: (number: number, connection: Connection) => void;
  /** Called when a worker has ended for certain. */
  readonly onEnded: (number: number) => void;
  /** Called with the process ids of the workers when they change. */
  readonly onProcesses: (pids: readonly number[]) => void;
}

/** Workers that are replaced when they end. Stop it to stop them; it rejects if one did not stop properly. */
export interface Group extends Resource {
  /** Resolves when all workers listen. Rejects with `unavailable`, reason `workers_failed`, if they cannot start. */
  start(): Promise<FirstSteps>;
  tellAll(message: LeaderMessage): void;
  /** Chosen at random. */
  tellOne(message: LeaderMessage): void;
  /** Those of the workers that listen. Rejects with `unavailable`, reason `workers_silent`, if one does not answer. */
  readMetrics(): Promise<readonly CollectedMetrics[]>;
  /** Rejects when no worker is left and new ones end before they listen. */
  readonly failed: Promise<never>;
}

interface Worker {
  readonly number: number;
  readonly child: ChildProcess;
  readonly connection: Connection;
  readonly calls: LeaderCalls;
  /** Once it listens. */
  address: string | undefined;
}

const firstDelayMs = 100;
const longestDelayMs = 10_000;
/** Shorter than those who collect metrics wait. */
const metricsMs = 5_000;
/** So many starts in a row that end before a worker listens, while no other one does, are given up. */
const maxFailures = 5;

export function createGroup(options: GroupOptions): Group {
  return new RunningGroup(options);
}

class RunningGroup implements Group {
  readonly name = 'workers';
  readonly failed: Promise<never>;
  readonly #options: GroupOptions;
  readonly #workers = new Map<number, Worker>();
  readonly #changed = createWaitList();
  readonly #stopping = new AbortController();
  #fail: (error: AppError) => void = () => undefined;
  #first: FirstSteps | undefined;
  #nextNumber = 1;
  #failures = 0;
  #exitCodes: (number | null)[] = [];

  constructor(options: GroupOptions) {
    this.#options = options;
    this.failed = new Promise((_resolve, reject) => (this.#fail = reject));
    // Whoever waits for it gets the rejection.
    this.failed.catch(() => undefined);
  }

  async start(): Promise<FirstSteps> {
    // One is tried before the others, so that a wrong setting is reported once.
    this.#launch();
    const first = await this.#waitForFirst();
    while (this.#workers.size < this.#options.workers) this.#launch();
    while (!this.#stopping.signal.aborted && this.#listening().length < this.#options.workers) {
      await Promise.race([this.#changed.wait(this.#stopping.signal), this.failed]);
    }
    return first;
  }

  tellAll(message: LeaderMessage): void {
    for (const { connection } of this.#workers.values()) connection.send(message);
  }

  tellOne(message: LeaderMessage): void {
    const all = this.#listening();
    all[Math.floor(Math.random() * all.length)]?.connection.send(message);
  }

  async readMetrics(): Promise<readonly CollectedMetrics[]> {
    const late = AbortSignal.timeout(metricsMs);
    const read = async ({ number, calls }: Worker): Promise<readonly CollectedMetrics[]> => {
      try {
        return [await untilAborted(calls.readMetrics(), late)];
      } catch {
        // A worker that has ended meanwhile counts no longer.
        if (!this.#workers.has(number)) return [];
        throw workersSilent();
      }
    };
    return (await Promise.all(this.#listening().map(read))).flat();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.tellAll({ kind: 'stop' });
    while (this.#workers.size > 0) await this.#changed.wait(new AbortController().signal);
    if (this.#exitCodes.some((code) => code !== 0)) throw new Error('A worker did not stop properly.');
  }

  #listening(): readonly Worker[] {
    return [...this.#workers.values()].filter(({ address }) => address !== undefined);
  }

  async #waitForFirst(): Promise<FirstSteps> {
    while (this.#first === undefined) {
      if (this.#workers.size === 0) throw workersFailed();
      await this.#changed.wait(this.#stopping.signal);
    }
    return this.#first;
  }

  #launch(): void {
    const { program, env, logger, onStarted } = this.#options;
    const number = this.#nextNumber++;
    const child = fork(program, [], {
      env: { ...env, [workerVariable]: String(number) },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const connection = connect(child);
    const calls = createCalls<LeaderCalls>(connection);
    const worker: Worker = { number, child, connection, calls, address: undefined };
    this.#workers.set(number, worker);
    this.#noteProcesses();
    worker.connection.onMessage((message) => {
      if (!isKind<WorkerMessage, 'ready'>(message, 'ready')) return;
      worker.address = message.address;
      this.#failures = 0;
      this.#first ??= message.first;
      this.#changed.wakeAll();
    });
    child.once('error', (error) => logger.error({ worker: number, error }, 'a worker could not be started'));
    // A process that could not be created has no exit.
    if (child.pid === undefined) setImmediate(() => this.#onExit(worker, null, null));
    else child.once('exit', (code, signal) => this.#onExit(worker, code, signal));
    onStarted(number, worker.connection);
  }

  #noteProcesses(): void {
    this.#options.onProcesses([...this.#workers.values()].flatMap(({ child }) => child.pid ?? []));
  }

  #onExit(worker: Worker, code: number | null, signal: NodeJS.Signals | null): void {
    const { number, address } = worker;
    const { logger, onEnded } = this.#options;
    this.#workers.delete(number);
    this.#noteProcesses();
    onEnded(number);
    if (this.#stopping.signal.aborted) {
      this.#exitCodes.push(code);
    } else {
      if (address === undefined) this.#failures += 1;
      else this.tellAll({ kind: 'ended', address });
      logger.warn({ worker: number, code, signal }, 'a worker has ended');
      if (this.#first !== undefined) void this.#replace();
    }
    this.#changed.wakeAll();
  }

  async #replace(): Promise<void> {
    if (this.#failures >= maxFailures && this.#listening().length === 0) {
      this.#fail(workersFailed());
      return;
    }
    const delayMs = this.#failures === 0 ? 0 : Math.min(firstDelayMs * 2 ** (this.#failures - 1), longestDelayMs);
    const { signal } = this.#stopping;
    await sleepFor(delayMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) this.#launch();
  }
}

function connect(child: ChildProcess): Connection {
  return {
    send: (message) => {
      // What cannot be sent has no receiver any more.
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void child.once('exit', listener),
  };
}

const workersSilent = () =>
  new AppError('unavailable', 'A worker does not answer.', {
    reason: 'workers_silent',
    details: { retryAfterSeconds: 1 },
  });

const workersFailed = () =>
  new AppError('unavailable', 'The workers cannot start; their own messages say why.', { reason: 'workers_failed' });
