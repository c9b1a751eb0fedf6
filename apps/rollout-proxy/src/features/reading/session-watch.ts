import { AppError, createWaitList } from '@weir/foundation';
import type { ServerEvent } from '@weir/http-contract';
import type { SessionChanges, SessionSummary } from '@weir/rollout-contract';
import type { Clock } from '../../clock';
import type { ChangesListener, Fleet } from '../fleet';
import type { Session, SessionStore } from '../sessions';

export interface SessionWatchOptions {
  readonly store: Pick<SessionStore, 'all'>;
  readonly present: (session: Session) => SessionSummary;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly fleet: Pick<Fleet, 'follow'>;
  /** Of those that watch all processes. Default 64. */
  readonly maxWatchers?: number;
}

/**
 * Notifies watchers of changes to sessions. Sessions do not depend on it, and it does nothing while there are no
 * watchers.
 */
export interface SessionWatch {
  /** Changes in all processes. Throws `rate_limited`, reason `watchers_exhausted`. Ends with the signal. */
  watch(signal: AbortSignal): AsyncGenerator<ServerEvent>;
  /** Changes in this process, for another one. */
  watchOwn(signal: AbortSignal): AsyncGenerator<ServerEvent>;
}

interface Watcher {
  readonly changed: Set<Session>;
  /** Changes in other processes, by the id of the session. */
  readonly elsewhere: Map<string, SessionSummary>;
  readonly removed: Set<string>;
  /** Whether another process is heard that was not heard before. */
  missed: boolean;
  readonly wake: ReturnType<typeof createWaitList>;
}

const shortestIntervalMs = 200;
/** Comparing all sessions takes at most this part of the time. */
const busyShare = 0.05;
const maxSessionsPerEvent = 200;

export function createSessionWatch(options: SessionWatchOptions): SessionWatch {
  const { store, present, clock, maxWatchers = 64 } = options;
  const watchers = new Set<Watcher>();
  const ofAll = new Set<Watcher>();
  const others = createHearing(options.fleet, ofAll);
  let stamps: ReadonlyMap<Session, string> = new Map();
  let isComparing = false;

  const compare = (): void => {
    const before = stamps;
    stamps = readStamps(store.all());
    const changed = [...stamps].flatMap(([session, stamp]) => (before.get(session) === stamp ? [] : [session]));
    // Another process tells of a session that was left to it.
    const removed = [...before.keys()].filter((session) => !stamps.has(session) && !session.hasLeft());
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
  const presentChanges = ({ changed, elsewhere, removed }: TakenChanges): SessionChanges => ({
    sessions: [...changed.filter((session) => stamps.has(session)).map(present), ...elsewhere],
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
      if (ofAll.has(watcher)) await others.start();
      yield { event: 'ready', data: {} };
      for (;;) {
        if (!hasNews(watcher)) await watcher.wake.wait(signal);
        if (watcher.missed) {
          watcher.missed = false;
          yield { event: 'ready', data: {} };
        } else yield { event: 'changes', data: presentChanges(takeChanges(watcher)) };
      }
    } finally {
      leave(watcher);
    }
  }
  const leave = (watcher: Watcher): void => {
    watchers.delete(watcher);
    ofAll.delete(watcher);
    if (ofAll.size === 0) others.stop();
  };
  const start = (signal: AbortSignal): Watcher => {
    const watcher: Watcher = {
      changed: new Set(),
      elsewhere: new Map(),
      removed: new Set(),
      missed: false,
      wake: createWaitList(),
    };
    watchers.add(watcher);
    signal.addEventListener('abort', () => leave(watcher), { once: true });
    return watcher;
  };

  return {
    watch: (signal) => {
      if (ofAll.size >= maxWatchers) throw tooManyWatchers(maxWatchers);
      const watcher = start(signal);
      ofAll.add(watcher);
      return follow(watcher, signal);
    },
    watchOwn: (signal) => follow(start(signal), signal),
  };
}

interface Hearing {
  /** Resolves when the other processes are heard. */
  start(): Promise<void>;
  stop(): void;
}

/** Other processes are heard once for all watchers, and only while there are some. */
function createHearing(fleet: Pick<Fleet, 'follow'>, watchers: ReadonlySet<Watcher>): Hearing {
  let current: { readonly heard: Promise<void>; readonly stopping: AbortController } | undefined;
  const tellAll = (change: (watcher: Watcher) => void): void => {
    for (const watcher of watchers) {
      change(watcher);
      watcher.wake.wakeAll();
    }
  };
  const listener: ChangesListener = {
    onHeard: () => tellAll((watcher) => (watcher.missed = true)),
    onChanges: ({ sessions, removed }) =>
      tellAll((watcher) => {
        for (const session of sessions) watcher.elsewhere.set(session.session_id, session);
        for (const id of removed) {
          watcher.elsewhere.delete(id);
          watcher.removed.add(id);
        }
      }),
  };
  return {
    start: () => {
      if (current === undefined) {
        const stopping = new AbortController();
        current = { stopping, heard: fleet.follow(listener, stopping.signal) };
      }
      return current.heard;
    },
    stop: () => {
      current?.stopping.abort();
      current = undefined;
    },
  };
}

const hasNews = ({ changed, elsewhere, removed, missed }: Watcher): boolean =>
  missed || changed.size + elsewhere.size + removed.size > 0;

interface TakenChanges {
  readonly changed: readonly Session[];
  readonly elsewhere: readonly SessionSummary[];
  readonly removed: readonly string[];
}

function takeChanges(watcher: Watcher): TakenChanges {
  const changed = [...watcher.changed].slice(0, maxSessionsPerEvent);
  for (const session of changed) watcher.changed.delete(session);
  const elsewhere = [...watcher.elsewhere].slice(0, maxSessionsPerEvent - changed.length);
  for (const [id] of elsewhere) watcher.elsewhere.delete(id);
  const removed = [...watcher.removed];
  watcher.removed.clear();
  return { changed, elsewhere: elsewhere.map(([, session]) => session), removed };
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
