import type { Clock, Timer } from '@weir/workflow-engine/model';
import { startInterval } from '../../adapters/start-interval';
import { pause } from '../../adapters/pause';
import type { RandomSource } from '../../adapters/random-source';
import type { GitSyncStore } from './git-sync-store';
import { syncBusy } from './sync-errors';

export interface SyncLockPorts {
  readonly gitSync: Pick<GitSyncStore, 'lock' | 'renewLock' | 'unlock'>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Pick<RandomSource, 'uuid'>;
}

/** The lock of a killed process ends after this time. */
const leaseMs = 10_000;
const renewMs = 2_500;
const waitMs = 30_000;
const pollMs = 100;

/**
 * Does work that no other process does at the same time. The signal ends the work when the lock is lost, for example
 * after a long pause of this process. Throws `sync_busy` when others take too long.
 */
export async function holdSyncLock<T>(
  { gitSync, clock, timer, random }: SyncLockPorts,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const owner = random.uuid();
  const until = () => new Date(clock.now().getTime() + leaseMs);
  const giveUpAt = clock.now().getTime() + waitMs;
  while (!(await gitSync.lock(owner, clock.now(), until()))) {
    signal.throwIfAborted();
    if (clock.now().getTime() > giveUpAt) throw syncBusy();
    await pause(timer, pollMs, signal);
  }
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    if (!(await gitSync.renewLock(owner, until()))) lost.abort(syncBusy());
  };
  const stopRenewing = startInterval(renewMs, () => {
    renew().catch((error: unknown) => lost.abort(error));
  });
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    stopRenewing();
    await gitSync.unlock(owner);
  }
}
