import type { Clock } from '@weir/workflow-engine/model';
import type { DagFlagRepository } from './dag-flag-repository';

export interface SuspensionsOptions {
  readonly flags: DagFlagRepository;
  readonly clock: Clock;
  /** Limits the age of the cached flags, which other processes change too. Default: 1 s. */
  readonly maxAgeMs?: number;
}

export interface Suspensions {
  has(fileName: string): boolean;
  /** Reads the flags again if they are too old. Resolves with the names whose flag has changed. */
  refresh(): Promise<readonly string[]>;
  set(fileName: string, isSuspended: boolean): Promise<void>;
}

/** Caches the suspended DAGs in memory, so that a list of DAGs needs no query. */
export function createSuspensions({ flags, clock, maxAgeMs = 1000 }: SuspensionsOptions): Suspensions {
  let suspended: ReadonlySet<string> = new Set();
  let loadedAt: number | undefined;
  let loading: Promise<readonly string[]> | undefined;

  const load = async (): Promise<readonly string[]> => {
    const startedAt = clock.now().getTime();
    const before = suspended;
    const now = new Set(await flags.listSuspended());
    // A flag that was set meanwhile is newer than the read ones.
    if (suspended !== before) return [];
    suspended = now;
    loadedAt = startedAt;
    return [...new Set([...before, ...now])].filter((fileName) => before.has(fileName) !== now.has(fileName));
  };

  return {
    has: (fileName) => suspended.has(fileName),
    refresh: () => {
      const isFresh = loadedAt !== undefined && clock.now().getTime() - loadedAt < maxAgeMs;
      if (isFresh) return Promise.resolve([]);
      loading ??= load().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    set: async (fileName, isSuspended) => {
      await flags.setSuspended(fileName, isSuspended, clock.now());
      const changed = new Set(suspended);
      if (isSuspended) changed.add(fileName);
      else changed.delete(fileName);
      suspended = changed;
    },
  };
}
