import { AppError } from '@weir/foundation';
import type { LeaseEvents, OpenLease, Replica } from '../replicas/lease';
import type { WorkerCalls } from './registry';

export interface WorkerLeaseOptions {
  /** The number of this worker, which no other one had or will have. */
  readonly number: number;
  readonly leaseMs: number;
  readonly calls: WorkerCalls;
}

export interface WorkerLease extends OpenLease {
  /** Notes which workers there are. */
  setWorkers(workers: readonly Replica[]): void;
  /** Sessions without an owner exist. */
  findOrphans(): void;
}

/**
 * The right of a worker to own sessions. It lasts as long as its process: the process that started the worker learns of
 * its end for certain, and a worker ends when that process does. So there is nothing to renew, and no time to wait.
 */
export function createWorkerLease({ number, leaseMs, calls }: WorkerLeaseOptions): WorkerLease {
  let known: ReadonlySet<number> = new Set();
  const gone = new Map<number, AbortController>();
  let events: LeaseEvents | undefined;
  let address = '';
  let isTaken = false;
  let isDraining = false;
  return {
    name: 'place of the worker',
    number,
    leaseMs,
    get address() {
      return address;
    },
    get isDraining() {
      return isDraining;
    },
    isHeld: () => isTaken,
    assertHeld: () => {
      if (isTaken) return;
      throw new AppError('unavailable', 'This worker owns no sessions; repeat the request.', {
        reason: 'lease_lost',
        details: { retryAfterSeconds: 1 },
      });
    },
    isKnown: (other) => known.has(other),
    goneSignal: (other) => {
      const controller = gone.get(other) ?? new AbortController();
      gone.set(other, controller);
      return controller.signal;
    },
    others: () => calls.others(),
    drain: () => {
      isDraining = true;
    },
    setWorkers: (workers) => {
      known = new Set(workers.map((worker) => worker.number));
      for (const [other, controller] of gone) {
        if (known.has(other)) continue;
        gone.delete(other);
        controller.abort();
      }
    },
    findOrphans: () => {
      if (isTaken && !isDraining) events?.onOrphans();
    },
    start: async (ownAddress, given) => {
      address = ownAddress;
      events = given;
      await calls.join(ownAddress);
      await given.onTaken();
      isTaken = true;
    },
    stop: () => {
      // The end of the process gives up its sessions.
      isTaken = false;
      return Promise.resolve();
    },
  };
}
