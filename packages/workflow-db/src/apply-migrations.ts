import { databaseEmpty, databaseReplaced, migrationsMissing, migrationsPending } from './database-errors';
import { parseDatabaseUrl, type DatabaseLocation } from './database-url';
import { readMigrations, type MigrationFile } from './migration-files';
import { planMigrations, readInstance, type LedgerRow, type Migrated } from './migration-plan';

export interface ApplyMigrationsOptions {
  readonly url: string;
  /**
   * Holds `sqlite/` and `postgresql/`; a build copies this package's `prisma/migrations` into the folder of its
   * program.
   */
  readonly folder: string;
  /** `verify` changes nothing and refuses a database that lacks a migration. `apply` unless given. */
  readonly mode?: 'apply' | 'verify';
  /**
   * The version of this program, such as `1.4.0`. It is stored with the migrations that it applies; a database that was
   * migrated by a program of the next minor version is accepted. Without it, a database that has unknown migrations is
   * refused.
   */
  readonly version?: string | undefined;
  /** Refuses every other database. */
  readonly instance?: string | undefined;
}

export interface MigrationResult {
  /** Names of the migrations applied by this call, in order. */
  readonly applied: readonly string[];
  /** Identifies the database and its copies. */
  readonly instance: string;
}

/**
 * Applies the migrations that the database lacks. Safe when several processes start together: one applies them, the
 * others wait up to 30 s and find none left. Uses Prisma's own ledger, so that `prisma migrate` sees the same history.
 * Creates a missing SQLite file, readable by its owner only.
 *
 * Rejects with `unavailable` and a reason: `database_unreachable`, `database_newer`, `migration_edited`,
 * `migration_unfinished`, `migration_failed`, `migration_lock_timeout`, `migrations_missing`, `migrations_pending`,
 * `database_empty`, `database_replaced`.
 */
export async function applyMigrations(options: ApplyMigrationsOptions): Promise<MigrationResult> {
  const { url, folder, mode = 'apply', instance, version } = options;
  const location = parseDatabaseUrl(url);
  const files = await readMigrations(folder, location.provider);

  const choose = (ledger: readonly LedgerRow[]) => {
    if (instance !== undefined) assertInstance(instance, readInstance(ledger));
    const pending = planMigrations(files, ledger, version);
    if (mode === 'verify' && pending.length > 0) throw migrationsPending(pending.map((file) => file.name));
    return pending;
  };

  const { applied, ledger } = await migrate(location, choose, version);
  const found = readInstance(ledger);
  if (found === undefined) throw migrationsMissing(folder);
  return { applied: applied.map((file) => file.name), instance: found };
}

function assertInstance(expected: string, found: string | undefined): void {
  if (found === undefined) throw databaseEmpty();
  if (found !== expected) throw databaseReplaced();
}

// Only the driver of this database is loaded.
async function migrate(
  location: DatabaseLocation,
  choose: (ledger: readonly LedgerRow[]) => readonly MigrationFile[],
  version: string | undefined,
): Promise<Migrated> {
  if (location.provider === 'sqlite') {
    const { migrateSqlite } = await import('./migrate-sqlite.js');
    return migrateSqlite(location.file, choose, version);
  }
  const { migratePostgres } = await import('./migrate-postgres.js');
  return migratePostgres(location.url, choose, version);
}
