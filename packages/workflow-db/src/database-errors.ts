import { AppError } from '@weir/foundation';
import { describeFailure } from './failure-reason';

export type DatabaseErrorReason =
  | 'database_url_invalid'
  | 'database_in_use'
  | 'database_unreachable'
  | 'database_newer'
  | 'database_empty'
  | 'database_replaced'
  | 'database_has_workers'
  | 'copy_unfinished'
  | 'copy_target_not_empty'
  | 'copy_of_another'
  | 'copy_differs'
  | 'migrations_missing'
  | 'migrations_pending'
  | 'migration_edited'
  | 'migration_failed'
  | 'migration_unfinished'
  | 'migration_lock_timeout';

function databaseError(reason: DatabaseErrorReason, message: string, cause?: unknown): AppError {
  const code = reason === 'database_url_invalid' ? 'invalid_request' : 'unavailable';
  return new AppError(code, message, { reason, ...(cause !== undefined && { cause }) });
}

// The URL itself is left out of every message, because it may hold a password.
export const databaseUrlInvalid = (problem: string) =>
  databaseError('database_url_invalid', `The database URL is not usable: ${problem}`);

export const databaseInUse = (file: string, ownerPid: number | undefined, cause: unknown) =>
  databaseError(
    'database_in_use',
    `The database file ${file} is in use by another Weir process${ownerPid === undefined ? '' : ` (pid ${ownerPid})`}. ` +
      'Stop it first, or give this one a database of its own.',
    cause,
  );

export const databaseUnreachable = (cause: unknown) =>
  databaseError('database_unreachable', `The database cannot be reached: ${describeFailure(cause)}`, cause);

export const databaseNewer = (
  migrations: readonly { readonly name: string; readonly version?: string | undefined }[],
  ownVersion: string | undefined,
) =>
  databaseError(
    'database_newer',
    `The database was written by a newer version of Weir${describeVersion(migrations.at(-1)?.version)}: it has migrations ` +
      `that this version${describeVersion(ownVersion)} does not know (${migrations.map(({ name }) => name).join(', ')}). ` +
      'Run a version that is at most one minor version older, or restore a backup from before the upgrade.',
  );

function describeVersion(version: string | undefined): string {
  return version === undefined ? '' : ` (${version})`;
}

export const databaseEmpty = () =>
  databaseError('database_empty', 'The database is missing or empty, although it was in use before.');

export const databaseReplaced = () => databaseError('database_replaced', 'The database is another one than before.');

export const databaseHasWorkers = (database: string, users: number) =>
  databaseError(
    'database_has_workers',
    `The ${database} database is in use by ${users} other ${users === 1 ? 'process' : 'processes'} of Weir. ` +
      'Stop all servers, schedulers, workers and commands first.',
  );

export const copyUnfinished = () =>
  databaseError(
    'copy_unfinished',
    'The database is an unfinished copy of another one. Run "weir migrate-store" again to finish it, or remove it.',
  );

export const copyTargetNotEmpty = (table: string) =>
  databaseError(
    'copy_target_not_empty',
    `The database to copy to has rows already, in ${table}. Name an empty one: nothing is overwritten.`,
  );

export const copyOfAnother = () =>
  databaseError(
    'copy_of_another',
    'The database to copy to is an unfinished copy of another database. Remove it first.',
  );

export const copyDiffers = (tables: readonly string[]) =>
  databaseError(
    'copy_differs',
    `The copy differs from its source in ${tables.join(', ')}, which happens when the source was changed meanwhile. ` +
      'Remove the copy and start again.',
  );

export const migrationsMissing = (folder: string, cause?: unknown) =>
  databaseError('migrations_missing', `There are no migrations in ${folder}.`, cause);

export const migrationsPending = (names: readonly string[]) =>
  databaseError(
    'migrations_pending',
    `The database lacks migrations, and applying them at start is disabled: ${names.join(', ')}.`,
  );

export const migrationEdited = (name: string) =>
  databaseError(
    'migration_edited',
    `The migration ${name} differs from the one that the database was made with. Applied migrations are never edited.`,
  );

export const migrationUnfinished = (name: string) =>
  databaseError(
    'migration_unfinished',
    `The migration ${name} was started but not finished. Repair the database, then mark it with "prisma migrate resolve".`,
  );

export const migrationFailed = (name: string, cause: unknown) =>
  databaseError('migration_failed', `The migration ${name} failed and was rolled back.`, cause);

export const migrationLockTimeout = (cause: unknown) =>
  databaseError('migration_lock_timeout', 'Another process holds the migration lock for too long.', cause);
