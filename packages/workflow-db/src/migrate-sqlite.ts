import { randomUUID } from 'node:crypto';
import Sqlite, { type Database as SqliteConnection } from 'better-sqlite3';
import { databaseUnreachable, migrationFailed, migrationLockTimeout } from './database-errors';
import type { MigrationFile } from './migration-files';
import { formatApplier, type LedgerRow, type Migrated } from './migration-plan';
import { createPrivateFile } from './private-file';
import { untilUnlocked } from './until-unlocked';

// The columns are Prisma's own, so that its command line reads the same ledger.
const createLedger = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL,
  "checksum" TEXT NOT NULL,
  "finished_at" DATETIME,
  "migration_name" TEXT NOT NULL,
  "logs" TEXT,
  "rolled_back_at" DATETIME,
  "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
  "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0
)`;

/** Applies the migrations that `choose` selects by the ledger, in one transaction that excludes other writers. */
export async function migrateSqlite(
  file: string,
  choose: (ledger: readonly LedgerRow[]) => readonly MigrationFile[],
  version?: string,
): Promise<Migrated> {
  const connection = await open(file);
  try {
    await begin(connection);
    const chosen = choose(readSqliteLedger(connection));
    if (chosen.length > 0) connection.exec(createLedger);
    for (const migration of chosen) apply(connection, migration, version);
    const ledger = readSqliteLedger(connection);
    connection.exec('COMMIT');
    return { applied: chosen, ledger };
  } finally {
    // Closing the connection ends an open transaction.
    connection.close();
  }
}

async function open(file: string): Promise<SqliteConnection> {
  try {
    createPrivateFile(file);
    const connection = new Sqlite(file, { timeout: 0 });
    // Only effective before the first page is written; an existing file is not changed.
    await untilUnlocked(() => connection.pragma('auto_vacuum = INCREMENTAL'));
    // If several processes do this to a new file, SQLite's own wait lets one fail at once.
    await untilUnlocked(() => connection.pragma('journal_mode = WAL'));
    // Rebuilding a table drops the old one; with foreign keys on, that would delete the rows that refer to it.
    connection.pragma('foreign_keys = OFF');
    return connection;
  } catch (cause) {
    throw databaseUnreachable(cause);
  }
}

async function begin(connection: SqliteConnection): Promise<void> {
  try {
    await untilUnlocked(() => connection.exec('BEGIN IMMEDIATE'));
  } catch (cause) {
    throw migrationLockTimeout(cause);
  }
}

/** The ledger of a database; empty when it has none yet. */
export function readSqliteLedger(connection: SqliteConnection): readonly LedgerRow[] {
  const exists = connection.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'`);
  if (exists.get() === undefined) return [];
  const rows = connection.prepare<[], LedgerRecord>('SELECT * FROM "_prisma_migrations" ORDER BY "started_at"').all();
  return rows.map((row) => ({
    id: row.id,
    name: row.migration_name,
    checksum: row.checksum,
    isFinished: row.finished_at !== null,
    isRolledBack: row.rolled_back_at !== null,
    version: /^weir (.+)$/.exec(row.logs ?? '')?.[1],
  }));
}

interface LedgerRecord {
  readonly id: string;
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: unknown;
  readonly rolled_back_at: unknown;
  readonly logs: string | null;
}

function apply(
  connection: SqliteConnection,
  { name, sql, checksum }: MigrationFile,
  version: string | undefined,
): void {
  const startedAt = Date.now();
  try {
    connection.exec(sql);
    const broken = connection.pragma('foreign_key_check') as readonly unknown[];
    if (broken.length > 0) throw new Error(`It leaves ${broken.length} references to rows that are not there.`);
  } catch (cause) {
    throw migrationFailed(name, cause);
  }
  connection
    .prepare(
      `INSERT INTO "_prisma_migrations"
         ("id", "checksum", "migration_name", "logs", "started_at", "finished_at", "applied_steps_count")
       VALUES (?, ?, ?, ?, ?, ?, 1)`,
    )
    .run(randomUUID(), checksum, name, formatApplier(version), startedAt, Date.now());
}
