import { AppError } from '@weir/foundation';
import type { SignalSource } from '@weir/service-kit';
import type { BrowserSession } from '../features/access';
import type { CollectedMetrics } from '../features/system';
import type { Replica } from '../replicas/lease';
import { answerCalls, createCalls, isKind, type Connection } from './calls';
import type { WorkerCalls } from './registry';

/** What the process that leads the workers tells each of them. */
export type LeaderMessage =
  | { readonly kind: 'workers'; readonly workers: readonly Replica[] }
  /** A worker with this address has ended for certain. */
  | { readonly kind: 'ended'; readonly address: string }
  | { readonly kind: 'orphans' }
  | { readonly kind: 'browser'; readonly session: BrowserSession }
  | { readonly kind: 'stop' };

/** What a worker tells that process, besides its calls. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly address: string; readonly first: FirstSteps }
  | { readonly kind: 'browser'; readonly session: BrowserSession };

/** What a worker may ask of that process with or without a database. */
export interface GroupCalls {
  /** The metrics of all workers. Rejects with `unavailable`, reason `workers_silent`. */
  readAllMetrics(): Promise<readonly CollectedMetrics[]>;
}

/** What that process asks of a worker. */
export interface LeaderCalls {
  readMetrics(): Promise<CollectedMetrics>;
}

/** What is printed once the first worker listens. */
export interface FirstSteps {
  readonly url: string;
  readonly modelName: string;
  readonly hasUserInterface: boolean;
}

/** The number of a worker, in its environment. */
export const workerVariable = 'WEIR_ROLLOUT_WORKER';

/** A worker's side of the connection to the process that started it. */
export interface WorkerLink {
  readonly number: number;
  /** Those of the registry are answered where there is no database. */
  readonly calls: GroupCalls & WorkerCalls;
  answer(methods: LeaderCalls): void;
  on<K extends LeaderMessage['kind']>(kind: K, listener: (message: LeaderMessage & { readonly kind: K }) => void): void;
  tell(message: WorkerMessage): void;
  /** Whether all workers stop, so that nobody is left to take over sessions. */
  isGroupStopping(): boolean;
  /** The signals by which this worker has to stop. */
  readonly signals: SignalSource;
}

/**
 * Connects a worker. It ends at once, whatever it does, when the process that started it has ended: nobody could tell
 * any more which sessions it owns. Throws where it was not started by one.
 */
export function connectToLeader(number: number): WorkerLink {
  if (process.send === undefined || !Number.isSafeInteger(number) || number < 1) {
    throw new AppError('invalid_request', `${workerVariable} is for the workers that ROLLOUT_WORKERS starts.`, {
      reason: 'config_invalid',
    });
  }
  process.once('disconnect', () => process.exit(1));
  // A terminal sends it to the whole group of processes; the one that leads the workers passes it on.
  process.on('SIGINT', () => undefined);
  const listeners: ((message: unknown) => void)[] = [];
  process.on('message', (message) => {
    for (const listener of listeners) listener(message);
  });
  const connection: Connection = {
    // A failed message means that the other end is gone, which ends this process.
    send: (message) => void process.send?.(message, () => undefined),
    onMessage: (listener) => void listeners.push(listener),
    onEnd: () => undefined,
  };
  let isGroupStopping = false;
  const on: WorkerLink['on'] = (kind, listener) =>
    connection.onMessage((message) => {
      if (isKind<LeaderMessage, typeof kind>(message, kind)) listener(message);
    });
  on('stop', () => (isGroupStopping = true));
  return {
    number,
    calls: createCalls<GroupCalls & WorkerCalls>(connection),
    answer: (methods) => answerCalls<LeaderCalls>(connection, methods),
    on,
    tell: (message) => connection.send(message),
    isGroupStopping: () => isGroupStopping,
    signals: {
      on: (signal, listener) => {
        if (signal === 'SIGTERM') {
          process.on('SIGTERM', listener);
          on('stop', listener);
        }
      },
    },
  };
}
