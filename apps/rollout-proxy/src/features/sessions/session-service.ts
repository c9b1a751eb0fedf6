import { AppError } from '@weir/foundation';
import { createInteractionCache, type Matching } from '@weir/rollout-core';
import type { Recording } from '@weir/rollout-engine';
import type { Logger } from '@weir/service-kit';
import type { Clock } from '../../clock';
import { createSessionKey, hashKey, type DeriveNamedKey } from '../access';
import type { CapacityLedger, ClaimedGrant } from '../capacity';
import type { SessionJournal, SessionJournals, StoredSession } from './session-journals';
import { sessionKeyInUse, sessionNotFound, sessionsExhausted } from './session-errors';
import type { StartedRecord } from './session-records';
import { createExportedEviction } from './exported-eviction';
import { isUnfinished, type SessionStore } from './session-store';
import type { RestoredRecords } from './effective-records';
import { createSession, type SessionOptions } from './journaled-session';
import type { Session, SessionLimits } from '../../session';

export interface StartedSession {
  readonly sessionId: string;
  /** Returned once; only its digest is stored. */
  readonly key: string;
}

export interface StartRequest {
  readonly taskId: string;
  /** Default: a generated key. */
  readonly key: string | undefined;
  /** The key of the request: a repeated start returns the session of the first one. */
  readonly idempotencyKey?: string | undefined;
  /** What is recorded of its calls, where it differs from the default. */
  readonly recording?: Partial<Recording> | undefined;
  /** The name of the adapter that samples its calls. */
  readonly adapter?: string | undefined;
}

export interface SessionService {
  /**
   * Rejects with `rate_limited` (reasons `capacity_not_granted`, `sessions_exhausted`), `conflict` (reason
   * `session_key_in_use`) or `invalid_request` (reason `key_is_admin_key`).
   */
  start(request: StartRequest): Promise<StartedSession>;
  /** Throws `not_found`, reason `session_not_found`. */
  get(id: string): Session;
  readonly remove: (session: Session) => Promise<void>;
  /** Restores the stored sessions. Called once, before anything else. */
  restore(): Promise<void>;
  /** Adds a session that was taken over from another process. */
  adopt(stored: StoredSession): void;
  /** Leaves a session to other processes: what runs in it is aborted, its journal stays. */
  leave(session: Session): void;
  /** Whether a session of this id is being removed just now. */
  readonly isRemoving: (id: string) => boolean;
}

export interface SessionServiceOptions {
  readonly store: SessionStore;
  readonly journals: SessionJournals;
  readonly ledger: CapacityLedger;
  /** Whether it is a key of the service, which no session can have. */
  readonly isServiceKey: (key: string) => boolean;
  readonly deriveNamedKey: DeriveNamedKey;
  readonly limits: SessionLimits & { readonly sessions: number };
  readonly endWaitMs: number;
  readonly matching: Matching;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when a session has ended, not for one that is restored. */
  readonly onEnded?: ((session: Session) => void) | undefined;
}

export function createSessionService(options: SessionServiceOptions): SessionService {
  const { store, journals, ledger, clock, logger } = options;
  const usage = { bytes: 0 };
  /** Keys of starting sessions, which are not in the store yet. */
  const starting = new Set<string>();
  const { remove, isRemoving } = createRemoval(store);
  const evictExported = createExportedEviction({ store, remove, logger });
  const hasSlot = () => store.count() + starting.size < options.limits.sessions;
  const makeRoom = () => evictExported(() => usage.bytes < options.limits.bytes);
  const build = createBuilder(options, { usage, makeRoom });

  const start = async ({ taskId, recording, adapter }: StartRequest, keyHash: string): Promise<Session> => {
    evictExported(hasSlot);
    if (!hasSlot()) throw sessionsExhausted();
    starting.add(keyHash);
    let grant: ClaimedGrant | undefined;
    try {
      grant = await ledger.claim();
      const start = {
        kind: 'started',
        taskId,
        keyHash,
        grantId: grant.id,
        createdAtMs: clock.nowMs(),
        ...(recording === undefined ? {} : { recording }),
        ...(adapter === undefined ? {} : { adapter }),
      } as const;
      const { started, journal } = await journals.create(start);
      const session = build(started, journal);
      // Otherwise another process has it, or the one that gets its first call.
      if (journal.isOwned()) store.add(session);
      await consumeOrRemove(grant, () => remove(session));
      return session;
    } catch (error) {
      await grant?.release();
      throw error;
    } finally {
      starting.delete(keyHash);
    }
  };

  return {
    start: async (request) => {
      const { key, isNamed } = chooseKey(request, options.deriveNamedKey);
      const keyHash = hashKey(key);
      // The process ended before the answer was stored; only a repeated request derives the same key.
      const before = isNamed ? store.findByKey(keyHash) : undefined;
      if (before !== undefined && isUnfinished(before)) return { sessionId: before.id, key };
      const elsewhere = isNamed ? await journals.findActive(keyHash) : undefined;
      if (elsewhere !== undefined) return { sessionId: elsewhere, key };
      assertKeyIsFree({ key, keyHash, isStarting: starting.has(keyHash) }, options);
      return { sessionId: (await start(request, keyHash)).id, key };
    },
    get: (id) => {
      const session = store.find(id);
      if (session === undefined) throw sessionNotFound();
      return session;
    },
    remove,
    restore: async () => {
      await restoreSessions(options, build);
      if (store.count() > 0) logger.info({ sessions: store.count(), bytes: usage.bytes }, 'sessions restored');
    },
    adopt: ({ started, journal, ...restored }) => store.add(build(started, journal, restored)),
    leave: (session) => {
      store.delete(session);
      session.leave();
    },
    isRemoving,
  };
}

function createRemoval(store: SessionStore): Pick<SessionService, 'remove' | 'isRemoving'> {
  const removing = new Set<string>();
  return {
    isRemoving: (id) => removing.has(id),
    remove: async (session) => {
      store.delete(session);
      removing.add(session.id);
      try {
        await session.remove();
      } finally {
        removing.delete(session.id);
      }
    },
  };
}

function chooseKey(
  { taskId, key, idempotencyKey }: StartRequest,
  deriveNamedKey: DeriveNamedKey,
): { readonly key: string; readonly isNamed: boolean } {
  if (key !== undefined) return { key, isNamed: false };
  if (idempotencyKey === undefined) return { key: createSessionKey(), isNamed: false };
  return { key: deriveNamedKey([idempotencyKey, taskId]), isNamed: true };
}

function assertKeyIsFree(
  { key, keyHash, isStarting }: { readonly key: string; readonly keyHash: string; readonly isStarting: boolean },
  { isServiceKey, store }: Pick<SessionServiceOptions, 'isServiceKey' | 'store'>,
): void {
  if (isServiceKey(key)) {
    throw new AppError('invalid_request', 'A session cannot have a key of the service.', {
      reason: 'key_is_admin_key',
    });
  }
  const other = store.findByKey(keyHash);
  if (isStarting || (other !== undefined && isUnfinished(other))) {
    throw sessionKeyInUse();
  }
}

/** Without this, a session whose grant could not be removed would stay with an unknown key. */
async function consumeOrRemove(grant: ClaimedGrant, remove: () => Promise<void>): Promise<void> {
  try {
    await grant.consume();
  } catch (error) {
    await remove();
    throw error;
  }
}

type Build = (started: StartedRecord, journal: SessionJournal, restored?: RestoredRecords) => Session;

function createBuilder(
  { matching, limits, endWaitMs, clock, onEnded }: SessionServiceOptions,
  shared: Pick<SessionOptions, 'usage' | 'makeRoom'>,
): Build {
  return (started, journal, restored) => {
    const cache = createInteractionCache({ matching });
    return createSession({ started, journal, cache, limits, endWaitMs, clock, onEnded, ...shared }, restored);
  };
}

async function restoreSessions(
  { store, journals, ledger, logger }: SessionServiceOptions,
  build: Build,
): Promise<void> {
  for await (const { started, journal, ...restored } of journals.restore()) {
    try {
      store.add(build(started, journal, restored));
      // The process may have ended between the two writes of the start.
      await ledger.discard(started.grantId);
    } catch (error) {
      logger.error({ sessionId: started.sessionId, error }, 'a session could not be restored; its journal is retained');
    }
  }
}
