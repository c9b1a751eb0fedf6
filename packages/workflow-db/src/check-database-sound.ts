import { AppError } from '@weir/foundation';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import type { DatabaseLocation } from './database-url';
import { readPostgresLedger } from './migrate-postgres';
import { readSqliteLedger } from './migrate-sqlite';
import { readMigrations } from './migration-files';
import { planMigrations, type LedgerRow } from './migration-plan';

const connectMs = 5_000;

export interface FindPendingMigrationsOptions {
  readonly location: DatabaseLocation;
  /** As of `applyMigrations`. */
  readonly folder: string;
  /** As of `applyMigrations`. */
  readonly version: string;
}

/**
 * Resolves with the names of the migrations that a sound database lacks. Throws as {@link checkDatabaseSound}, and where
 * `applyMigrations` would refuse the database. Changes nothing.
 */
export async function findPendingMigrations(options: FindPendingMigrationsOptions): Promise<readonly string[]> {
  const { location, folder, version } = options;
  const ledger = await checkDatabaseSound(location);
  const files = await readMigrations(folder, location.provider);
  return planMigrations(files, ledger, version).map(({ name }) => name);
}

/**
 * Resolves with the ledger of migrations. Throws when a database does not answer, or a SQLite file is damaged. Changes
 * nothing.
 */
export async function checkDatabaseSound(location: DatabaseLocation): Promise<readonly LedgerRow[]> {
  return location.provider === 'sqlite' ? checkFile(location.file) : await askServer(location.url);
}

async function askServer(url: string): Promise<readonly LedgerRow[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  try {
    await client.connect();
    return await readPostgresLedger(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function checkFile(file: string): readonly LedgerRow[] {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: connectMs });
  try {
    const problem: unknown = database.pragma('quick_check(1)', { simple: true });
    if (problem === 'ok') return readSqliteLedger(database);
    throw new AppError('unavailable', `The database is damaged: ${String(problem)}.`, { reason: 'database_damaged' });
  } finally {
    database.close();
  }
}
