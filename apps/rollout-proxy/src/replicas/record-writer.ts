import { AppError } from '@weir/foundation';
import { sessionMoved } from '../features/sessions';
import { isAnswered, type Database } from './database';
import type { DatabaseLease } from './lease';

export interface SessionWrite {
  readonly sessionId: string;
  /** The position of the record in its journal, from 0. */
  readonly position: number;
  readonly bytes: Buffer;
  /** The state that the session enters with this record. */
  readonly state: 'ended' | 'exported' | undefined;
}

/**
 * Resolves once the record is stored. Rejects with `unavailable`: reason `journal_failed` if it is not stored or the
 * result is unknown, reason `session_moved` if the session belongs to another replica. A rejected record has no effect.
 */
export type WriteRecord = (write: SessionWrite) => Promise<void>;

interface Waiting {
  readonly write: SessionWrite;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const maxRecords = 1_000;
const maxBytes = 16 * 1024 * 1024;

/** Writes with one statement what waits while the statement before runs. */
export function createRecordWriter(database: Database, lease: DatabaseLease): WriteRecord {
  const queue: Waiting[] = [];
  let isWriting = false;

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (queue.length > 0) await writeBatch(queue.splice(0, countBatch(queue)));
    isWriting = false;
  };

  const writeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const { number } = lease;
    try {
      const { rows } = await database.query({ name: 'append', text: appending, values: toValues(number, batch) });
      const stored = new Set(rows.map(({ id }) => String(id)));
      for (const { write, resolve, reject } of batch) {
        if (stored.has(write.sessionId)) resolve();
        else reject(sessionMoved());
      }
      // Sessions are taken from a replica all together.
      if (batch.some(({ write }) => !stored.has(write.sessionId))) giveUp(number, 'a session has another owner');
    } catch (error) {
      // This comes before the callers continue: none may write under a lease whose last write may still arrive.
      if (!isAnswered(error)) giveUp(number, 'the outcome of a write is unknown');
      for (const { reject } of batch) reject(failed(error));
    }
  };

  const giveUp = (number: number, why: string): void => {
    if (lease.number === number) lease.giveUp(why);
  };

  return (write) =>
    new Promise((resolve, reject) => {
      queue.push({ write, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

function countBatch(queue: readonly Waiting[]): number {
  let bytes = 0;
  const end = queue.findIndex(({ write }, index) => {
    bytes += write.bytes.length;
    return index > 0 && (index >= maxRecords || bytes > maxBytes);
  });
  return end === -1 ? queue.length : end;
}

function toValues(owner: number, batch: readonly Waiting[]): unknown[] {
  const writes = batch.map(({ write }) => write);
  return [
    owner,
    writes.map(({ sessionId }) => sessionId),
    writes.map(({ position }) => position),
    writes.map(({ bytes }) => bytes),
    writes.map(({ state }) => state ?? null),
  ];
}

// The rows of the sessions are locked before anything is inserted, and a take-over changes them: it waits for this
// statement, and this one sees it if it came first.
const appending = `
WITH given AS (
  SELECT * FROM unnest($2::text[], $3::int[], $4::bytea[], $5::text[]) AS given (session_id, position, bytes, state)
), held AS (
  SELECT id FROM weir_rollout.session WHERE owner = $1 AND id = ANY ($2::text[]) ORDER BY id FOR NO KEY UPDATE
), stored AS (
  INSERT INTO weir_rollout.record (session_id, position, bytes)
  SELECT session_id, position, bytes FROM given JOIN held ON held.id = given.session_id
), changed AS (
  UPDATE weir_rollout.session SET state = given.state FROM given JOIN held ON held.id = given.session_id
  WHERE session.id = held.id AND given.state IS NOT NULL
)
SELECT id FROM held`;

function failed(cause: unknown): AppError {
  return new AppError('unavailable', 'The journal could not be written.', {
    reason: 'journal_failed',
    details: { retryAfterSeconds: 1 },
    cause,
  });
}
