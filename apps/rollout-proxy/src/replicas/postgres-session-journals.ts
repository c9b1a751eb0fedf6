import { AppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import {
  sessionKeyInUse,
  sessionMoved,
  sessionsExhausted,
  type SessionJournal,
  type SessionJournals,
  type SessionRecord,
  type StoredSession,
} from '../features/sessions';
import { decodeRecords, encodeRecord } from '../journal/record';
import { databaseUnavailable, violatedConstraint, type Database, type Query } from './database';
import type { Lease } from './lease';
import type { WriteRecord } from './record-writer';
import { lockAdmission } from './tables';

export interface PostgresSessionJournals extends SessionJournals {
  /**
   * Becomes the owner of a session that has none, and reads its records. `undefined` if it has another owner, or if
   * there is no such session.
   */
  takeOver(sessionId: string): Promise<StoredSession | undefined>;
}

export interface PostgresSessionJournalsOptions {
  readonly database: Database;
  readonly lease: Lease;
  readonly write: WriteRecord;
  readonly maxSessions: number;
  readonly logger: Logger;
}

/** Journals as rows of PostgreSQL, which only the owner of a session can add to. */
export function createPostgresSessionJournals(options: PostgresSessionJournalsOptions): PostgresSessionJournals {
  const { database, lease, maxSessions, logger } = options;
  return {
    create: async (start) => {
      const owner = lease.number;
      const started = await database
        .transaction(async (query) => {
          await query(lockAdmission, []);
          const { rows } = await query(newSession, []);
          if (Number(rows[0]?.sessions) >= maxSessions) throw sessionsExhausted();
          const number = Number(rows[0]?.number);
          const record = { ...start, sessionId: `${start.taskId}-${number}`, number };
          await insertSession(query, record, owner);
          return record;
        })
        .catch((error: unknown) => {
          throw toCreateError(error);
        });
      return { started, journal: createJournal({ sessionId: started.sessionId, owner, length: 1 }, options) };
    },
    findActive: async (keyHash) => {
      const { rows } = await database
        .query(`SELECT id FROM weir_rollout.session WHERE key_hash = $1 AND state = 'active'`, [keyHash])
        .catch((error: unknown) => {
          throw databaseUnavailable(error);
        });
      return rows[0] === undefined ? undefined : String(rows[0].id);
    },
    // Sessions without an owner are taken over as soon as there is a lease.
    restore: async function* () {
      yield* await Promise.resolve([]);
    },
    takeOver: async (sessionId) => {
      const owner = lease.number;
      const bytes = await database.transaction(async (query) => {
        const { rowCount } = await query(
          'UPDATE weir_rollout.session SET owner = $2 WHERE id = $1 AND (owner IS NULL OR owner = $2)',
          [sessionId, owner],
        );
        if (rowCount === 0) return undefined;
        const { rows } = await query('SELECT bytes FROM weir_rollout.record WHERE session_id = $1 ORDER BY position', [
          sessionId,
        ]);
        return rows.map((row) => row.bytes as Buffer);
      });
      if (bytes === undefined) return undefined;
      const { values, damagedBytes } = decodeRecords(Buffer.concat(bytes));
      // Only this file writes them, and their checksums were verified.
      const [started, ...records] = values as readonly SessionRecord[];
      if (started?.kind !== 'started') throw unreadable(sessionId);
      logger.info({ sessionId, records: records.length, lease: owner }, 'took over a session');
      return {
        started,
        records,
        damagedBytes,
        journal: createJournal({ sessionId, owner, length: bytes.length }, options),
      };
    },
  };
}

const newSession = `
SELECT nextval('weir_rollout.session_number') AS number, (SELECT count(*) FROM weir_rollout.session) AS sessions`;

/** The grant is used in the same transaction, so a start neither loses it nor uses it twice. */
async function insertSession(
  query: Query,
  started: Extract<SessionRecord, { kind: 'started' }>,
  owner: number,
): Promise<void> {
  await query('INSERT INTO weir_rollout.session (id, number, key_hash, owner) VALUES ($1, $2, $3, $4)', [
    started.sessionId,
    started.number,
    started.keyHash,
    owner,
  ]);
  await query('INSERT INTO weir_rollout.record (session_id, position, bytes) VALUES ($1, 0, $2)', [
    started.sessionId,
    encodeRecord(started),
  ]);
  await query('DELETE FROM weir_rollout.capacity_grant WHERE id = $1', [started.grantId]);
}

function toCreateError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (violatedConstraint(error) === 'session_active_key') return sessionKeyInUse();
  return databaseUnavailable(error);
}

/** The journal of a session as long as this lease lasts. */
function createJournal(
  { sessionId, owner, length }: { readonly sessionId: string; readonly owner: number; readonly length: number },
  { database, lease, write }: PostgresSessionJournalsOptions,
): SessionJournal {
  let position = length;
  const isOwned = (): boolean => lease.isHeld() && lease.number === owner;
  return {
    isOwned,
    append: async (record) => {
      if (!isOwned()) throw sessionMoved();
      const bytes = encodeRecord(record);
      const state = record.kind === 'ended' || record.kind === 'exported' ? record.kind : undefined;
      await write({ sessionId, position, bytes, state });
      position += 1;
      return bytes.length;
    },
    remove: async () => {
      if (!isOwned()) throw sessionMoved();
      const { rowCount } = await database
        .query('DELETE FROM weir_rollout.session WHERE id = $1 AND owner = $2', [sessionId, owner])
        .catch((error: unknown) => {
          throw databaseUnavailable(error);
        });
      if (rowCount === 0) throw sessionMoved();
    },
  };
}

function unreadable(sessionId: string): AppError {
  return new AppError('internal', `The journal of the session ${sessionId} has no start.`, {
    reason: 'journal_damaged',
  });
}
