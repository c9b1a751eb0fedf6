import type { WorkerLocks } from '@weir/workflow-db';
import type { Heartbeat } from './heartbeat';

/** Holds the lock that lets a worker keep its runs; the stored heartbeat only shows since when the worker exists. */
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
