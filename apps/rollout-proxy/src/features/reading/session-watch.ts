import { AppError, createWaitList } from '@weir/foundation';
import type { ServerEvent } from '@weir/http-contract';
import type { SessionChanges, SessionSummary } from '@weir/rollout-contract';
import type { Clock } from '../../clock';
import type { Session, SessionStore } from '../sessions';

export interface SessionWatchOptions {
  readonly store: Pick<SessionStore, 'all'>;
  readonly present: (session: Session) => SessionSummary;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Default 64. */
  readonly maxWatchers?: number;
}

/**
 * Notifies watchers of changes to sessions. Sessions do not depend on it, and it does nothing while there are no
 * watchers.
 */
export interface SessionWatch {
  /** Throws `rate_limited`, reason `watchers_exhausted`. Ends with the signal. */
  watch(signal: AbortSignal): AsyncGenerator<ServerEvent>;
}

interface Watcher {
  readonly changed: Set<Session>;
  readonly removed: Set<string>;
  readonly wake: ReturnType<typeof createWaitList>;
}

const shortestIntervalMs = 200;
/** Comparing all sessions takes at most this part of the time. */
const busyShare = 0.05;
const maxSessionsPerEvent = 200;

export function createSessionWatch(options: SessionWatchOptions): SessionWatch {
  const { store, present, clock, maxWatchers = 64 } = options;
  const watchers = new Set<Watcher>();
  let stamps: ReadonlyMap<Session, string> = new Map();
  let isComparing = false;

  const compare = (): void => {
    const before = stamps;
    stamps = readStamps(store.all());
    const changed = [...stamps].flatMap(([session, stamp]) => (before.get(session) === stamp ? [] : [session]));
    const removed = [...before.keys()].filter((session) => !stamps.has(session));
    if (changed.length === 0 && removed.length === 0) return;
    for (const watcher of watchers) {
      for (const session of changed) watcher.changed.add(session);
      for (const session of removed) watcher.removed.add(session.id);
      watcher.wake.wakeAll();
    }
  };
  const run = async (): Promise<void> => {
    stamps = readStamps(store.all());
    let intervalMs = shortestIntervalMs;
    for (;;) {
      await clock.sleep(intervalMs);
      if (watchers.size === 0) break;
      const startedAtMs = performance.now();
      compare();
      intervalMs = Math.max(shortestIntervalMs, (performance.now() - startedAtMs) / busyShare);
    }
    isComparing = false;
  };
  const presentChanges = ({ changed, removed }: TakenChanges): SessionChanges => ({
    sessions: changed.filter((session) => stamps.has(session)).map(present),
    removed: [...removed],
  });
  const startComparing = (): void => {
    if (isComparing) return;
    isComparing = true;
    // Sleeping without a signal and comparing states of sessions do not fail.
    void run();
  };

  async function* follow(watcher: Watcher, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    try {
      startComparing();
      yield { event: 'ready', data: {} };
      for (;;) {
        if (watcher.changed.size === 0 && watcher.removed.size === 0) await watcher.wake.wait(signal);
        yield { event: 'changes', data: presentChanges(takeChanges(watcher)) };
      }
    } finally {
      watchers.delete(watcher);
    }
  }

  return {
    watch: (signal) => {
      if (watchers.size >= maxWatchers) throw tooManyWatchers(maxWatchers);
      const watcher: Watcher = { changed: new Set(), removed: new Set(), wake: createWaitList() };
      watchers.add(watcher);
      signal.addEventListener('abort', () => watchers.delete(watcher), { once: true });
      return follow(watcher, signal);
    },
  };
}

interface TakenChanges {
  readonly changed: readonly Session[];
  readonly removed: readonly string[];
}

function takeChanges(watcher: Watcher): TakenChanges {
  const changed = [...watcher.changed].slice(0, maxSessionsPerEvent);
  for (const session of changed) watcher.changed.delete(session);
  const removed = [...watcher.removed];
  watcher.removed.clear();
  return { changed, removed };
}

function readStamps(sessions: readonly Session[]): ReadonlyMap<Session, string> {
  return new Map(
    sessions.map((session) => {
      const { state, rewardRevision, runningCompletions } = session.status();
      return [session, `${state} ${session.cache.size} ${rewardRevision} ${runningCompletions}`];
    }),
  );
}

function tooManyWatchers(limit: number): AppError {
  return new AppError('rate_limited', `${limit} streams of changes are open already.`, {
    reason: 'watchers_exhausted',
    details: { retryAfterSeconds: 5 },
  });
}
