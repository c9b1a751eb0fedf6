export { applyMigrations, type ApplyMigrationsOptions, type MigrationResult } from './apply-migrations';
export {
  createDatabase,
  type CreateDatabaseOptions,
  type SqliteSynchronous,
  type Database,
  type Db,
  type DbTransaction,
} from './create-database';
export type { DatabaseErrorReason } from './database-errors';
export { parseDatabaseUrl, type DatabaseLocation, type DatabaseProvider } from './database-url';
export type { ApiKey, DagFlag, DagHead, DagRun, DagRunStep, Prisma, Runner, User } from './generated/sqlite/client';
export { freeSpace } from './free-space';
export { lockSqliteFile, type SqliteFileLock } from './lock-sqlite-file';
export { noJson } from './no-json';
export { joinSql, noSql, sql } from './sql';
export { translatePrismaError, type DatabaseFailure } from './translate-prisma-error';
export type { ModelName, UniqueConstraintName } from './unique-constraints';
export type { UnitOfWork, UnitOfWorkOptions } from './unit-of-work';
