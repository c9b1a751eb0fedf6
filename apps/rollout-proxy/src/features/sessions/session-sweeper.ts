import type { Logger, Resource } from '@weir/service-kit';
import type { Clock } from '../../clock';
import type { SessionService } from './session-service';
import type { SessionStore } from './session-store';
import type { Session } from '../../session';

export interface SessionTimes {
  /** Idle time until an active session is ended. */
  readonly idleMs: number;
  /** Time until an ended session without an export is removed. */
  readonly endedMs: number;
  /** Time until an exported session without an acknowledgement is removed. */
  readonly exportedMs: number;
}

export interface SessionSweeperOptions {
  readonly store: SessionStore;
  readonly service: SessionService;
  readonly times: SessionTimes;
  readonly clock: Clock;
  readonly logger: Logger;
}

const maxIntervalMs = 5_000;
const minIntervalMs = 50;

/** Ends and removes expired sessions at an interval, independent of traffic. */
export function startSessionSweeper(options: SessionSweeperOptions): Resource {
  const { clock, logger, times } = options;
  const stopping = new AbortController();
  const shortestMs = Math.min(times.idleMs, times.endedMs, times.exportedMs);
  const intervalMs = Math.max(minIntervalMs, Math.min(maxIntervalMs, shortestMs / 4));

  const run = async () => {
    for (;;) {
      await clock.sleep(intervalMs, stopping.signal);
      sweep(options);
    }
  };
  const ended = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) logger.error({ error }, 'the session sweeper failed; sessions no longer expire');
  });
  return {
    name: 'session sweeper',
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

function sweep({ store, service, times, clock, logger }: SessionSweeperOptions): void {
  const nowMs = clock.nowMs();
  for (const session of store.all()) {
    const due = dueWork(session, nowMs, times);
    if (due === undefined) continue;
    logger.info({ sessionId: session.id, due }, 'session expired');
    const work = due === 'end' ? session.end('idle') : service.remove(session);
    // The next tick retries.
    work.catch((error: unknown) =>
      logger.warn({ sessionId: session.id, error }, 'an expired session could not be ended or removed'),
    );
  }
}

function dueWork(session: Session, nowMs: number, times: SessionTimes): 'end' | 'remove' | undefined {
  const { state, runningCompletions, lastUsedAtMs, stateSinceMs } = session.status();
  if (state === 'active') return runningCompletions === 0 && nowMs - lastUsedAtMs >= times.idleMs ? 'end' : undefined;
  if (state === 'ended') return nowMs - stateSinceMs >= times.endedMs ? 'remove' : undefined;
  if (state === 'exported') return nowMs - stateSinceMs >= times.exportedMs ? 'remove' : undefined;
  return undefined;
}
