export { applyMigrations } from './apply-migrations';
export { checkDatabaseSound } from './check-database-sound';
export { backUpSqlite } from './back-up-sqlite';
export { assertNotCopying, copyDatabase, type CopyDatabaseOptions } from './copy/copy-database';
export type { TableChecksum } from './copy/table-checksum';
export { createDatabase, type Database } from './create-database';
export type { Db, DbTransaction } from './db';
export { parseDatabaseUrl, type DatabaseLocation, type DatabaseProvider } from './database-url';
export type {
  ApiKey,
  AuditEntry,
  BrowserSession,
  StoredSecret,
  DagRun,
  DagRunStep,
  EventLogEntry,
  Prisma,
  QueueTurn,
  User,
  Webhook,
} from './generated/sqlite/client';
export { freeSpace } from './free-space';
export { tryLockFile } from './try-lock-file';
export { lockSqliteFile } from './lock-sqlite-file';
export { noJson } from './no-json';
export { joinSql, noSql, sql } from './sql';
export { translatePrismaError } from './translate-prisma-error';
export { createWorkerLocks, type WorkerLocks } from './worker-locks';
