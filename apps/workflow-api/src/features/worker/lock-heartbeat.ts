import type { WorkerLocks } from '@weir/workflow-db';
import type { Heartbeat } from './heartbeat';

/** Holds the lock that keeps a worker's runs its own; what it stores says no more than since when it is there. */
export function createLockHeartbeat(locks: Pick<WorkerLocks, 'hold'>, workerId: string, stored: Heartbeat): Heartbeat {
  let release = (): void => undefined;
  return {
    ...stored,
    start: async (claims) => {
      ({ release } = locks.hold(workerId));
      await stored.start(claims);
    },
    stop: async () => {
      await stored.stop();
      release();
    },
  };
}
