export { applyMigrations } from './apply-migrations';
export { findPendingMigrations } from './check-database-sound';
export { backUpSqlite } from './back-up-sqlite';
export { assertNotCopying, copyDatabase, type CopyDatabaseOptions } from './copy/copy-database';
export type { TableChecksum } from './copy/table-checksum';
export { createDatabase, type Database } from './create-database';
export type { Db, DbTransaction } from './db';
export { parseDatabaseUrl, type DatabaseLocation, type DatabaseProvider } from './database-url';
export type {
  AgentConfig,
  AgentLogin,
  AgentModel,
  AgentMessage,
  AgentSession,
  ApiKey,
  AuditEntry,
  AuditPending,
  BrowserSession,
  Calendar,
  ChatClient,
  ClientConnection,
  SecondFactor,
  RuntimeProfile,
  RuntimeProfileEntry,
  StoredSecret,
  DagRun,
  DagRunStep,
  EventDelivery,
  EventLogEntry,
  EventSubscription,
  OutboxEvent,
  Prisma,
  QueueDispatch,
  RemoteNode,
  User,
  Webhook,
  WorkerToken as WorkerTokenRow,
} from './generated/sqlite/client';
export { freeSpace } from './free-space';
export { tryLockFile } from './try-lock-file';
export { lockSqliteFile } from './lock-sqlite-file';
export { noJson } from './no-json';
export { insertRows, joinSql, noSql, sql, type ColumnsOf } from './sql';
export { translatePrismaError } from './translate-prisma-error';
export {
  createWorkerToken,
  listWorkerTokens,
  readOwnWorkerToken,
  refreshWorkerTokens,
  revokeWorkerToken,
  type WorkerToken,
} from './worker-tokens/worker-tokens';
export { createWorkerLocks, type WorkerLocks } from './worker-locks';
