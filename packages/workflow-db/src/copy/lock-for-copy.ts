import { readdirSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { databaseHasWorkers } from '../database-errors';
import type { DatabaseLocation } from '../database-url';
import { lockSqliteFile } from '../lock-sqlite-file';
import { createWorkerLocks } from '../worker-locks';

export interface CopyLock {
  readonly close: () => Promise<void>;
}

type Part = 'source' | 'target';

/**
 * Refuses a database that other processes of Weir use, and locks it against them: a server is refused, and a source
 * that is a SQLite file accepts no writes. On PostgreSQL a process that starts later can still write to the source.
 */
export function lockForCopy(location: DatabaseLocation, part: Part): Promise<CopyLock> {
  return location.provider === 'sqlite' ? lockSqlite(location.file, part) : lockPostgres(location.url, part);
}

async function lockSqlite(file: string, part: Part): Promise<CopyLock> {
  const lock = lockSqliteFile(file);
  const writer = part === 'source' ? new Sqlite(file, { timeout: 5000 }) : undefined;
  const close = (): Promise<void> => {
    writer?.close();
    lock.release();
    return Promise.resolve();
  };
  try {
    const workers = livingWorkers(file);
    if (workers > 0) throw databaseHasWorkers(part, workers);
    writer?.exec('BEGIN IMMEDIATE');
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

function livingWorkers(file: string): number {
  const locks = createWorkerLocks(file);
  return workerIds(`${file}.workers`).filter((id) => locks.isAlive(id)).length;
}

function workerIds(folder: string): readonly string[] {
  try {
    // Beside each there may be a journal.
    return readdirSync(folder).filter((name) => !name.endsWith('-journal'));
  } catch {
    // The database has never had a worker.
    return [];
  }
}

// The number is arbitrary, but no other lock of Weir uses it.
const advisoryLock = 72_707_370;

async function lockPostgres(url: string, part: Part): Promise<CopyLock> {
  const { connectForCopy, copyName } = await import('./postgres-copy-store.js');
  const client = await connectForCopy(url);
  const { rows } = await client.query<{ users: number }>(
    `SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()
               AND application_name LIKE 'weir%' AND application_name <> $1)
          + (CASE WHEN pg_try_advisory_lock($2) THEN 0 ELSE 1 END) AS users`,
    [copyName, advisoryLock],
  );
  const users = rows[0]?.users ?? 0;
  if (users > 0) {
    await client.end();
    throw databaseHasWorkers(part, users);
  }
  return { close: () => client.end() };
}
