import { randomUUID } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { databaseUnreachable, migrationFailed, migrationLockTimeout } from './database-errors';
import type { MigrationFile } from './migration-files';
import { formatApplier, type LedgerRow, type Migrated } from './migration-plan';

const connectionTimeoutMs = 5000;
const lockTimeoutMs = 30_000;
const lockNotAvailable = '55P03';

// The number that Prisma's command line locks, so that both exclude each other.
const advisoryLock = 72_707_369;

const createLedger = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies the migrations that `choose` selects by the ledger, each in a transaction, while an advisory lock excludes
 * other processes. A statement that cannot run in a transaction cannot be part of a migration.
 */
export async function migratePostgres(
  url: string,
  choose: (ledger: readonly LedgerRow[]) => readonly MigrationFile[],
  version?: string,
): Promise<Migrated> {
  const client = await connect(url);
  try {
    await lock(client);
    const chosen = choose(await readPostgresLedger(client));
    if (chosen.length > 0) await client.query(createLedger);
    for (const migration of chosen) await apply(client, migration, version);
    return { applied: chosen, ledger: await readPostgresLedger(client) };
  } finally {
    // The lock belongs to the session and ends with it.
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectionTimeoutMs,
    lock_timeout: lockTimeoutMs,
    application_name: 'weir-migrations',
  });
  // A lost connection also rejects the query in progress, which handles it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    throw databaseUnreachable(cause);
  }
}

async function lock(client: Client): Promise<void> {
  try {
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLock]);
  } catch (cause) {
    if (cause instanceof DatabaseError && cause.code === lockNotAvailable) throw migrationLockTimeout(cause);
    throw databaseUnreachable(cause);
  }
}

/** The ledger of a database; empty when it has none yet. */
export async function readPostgresLedger(client: Client): Promise<readonly LedgerRow[]> {
  const found = await client.query<{ ledger: string | null }>(`SELECT to_regclass('"_prisma_migrations"') AS ledger`);
  if ((found.rows[0]?.ledger ?? null) === null) return [];
  const { rows } = await client.query<LedgerRow>(
    `SELECT "id", "migration_name" AS "name", "checksum",
            "finished_at" IS NOT NULL AS "isFinished", "rolled_back_at" IS NOT NULL AS "isRolledBack", substring("logs" FROM '^weir (.+)$') AS "version"
       FROM "_prisma_migrations" ORDER BY "started_at"`,
  );
  return rows;
}

async function apply(
  client: Client,
  { name, sql, checksum }: MigrationFile,
  version: string | undefined,
): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query(
      `INSERT INTO "_prisma_migrations"
         ("id", "checksum", "migration_name", "logs", "finished_at", "applied_steps_count")
       VALUES ($1, $2, $3, $4, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name, formatApplier(version)],
    );
    await client.query('COMMIT');
  } catch (cause) {
    throw migrationFailed(name, cause);
  }
}
