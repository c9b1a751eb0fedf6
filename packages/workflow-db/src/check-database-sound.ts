import { AppError } from '@weir/foundation';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import type { DatabaseLocation } from './database-url';

const connectMs = 5_000;

/** Throws when a database does not answer, or a SQLite file is damaged. Changes nothing. */
export async function checkDatabaseSound(location: DatabaseLocation): Promise<void> {
  if (location.provider === 'sqlite') {
    checkFile(location.file);
    return;
  }
  const client = new Client({ connectionString: location.url, connectionTimeoutMillis: connectMs });
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

function checkFile(file: string): void {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: connectMs });
  try {
    const problem: unknown = database.pragma('quick_check(1)', { simple: true });
    if (problem === 'ok') return;
    throw new AppError('unavailable', `The database is damaged: ${String(problem)}.`, { reason: 'database_damaged' });
  } finally {
    database.close();
  }
}
