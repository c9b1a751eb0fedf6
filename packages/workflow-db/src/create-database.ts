import { databaseUnreachable } from './database-errors';
import { parseDatabaseUrl, type DatabaseProvider } from './database-url';
import { exclusiveSqliteAdapter } from './exclusive-sqlite-adapter';
import type { Db } from './db';
import { createPrivateFile } from './private-file';
import type { ReadRevision } from './sqlite-revision';
import { defaultLockedMs } from './until-unlocked';
import { createUnitOfWork, type UnitOfWork } from './unit-of-work';

// An installation has one database, so its driver and its client are loaded when it is known which.

export interface Database {
  readonly db: Db;
  readonly provider: DatabaseProvider;
  readonly unitOfWork: UnitOfWork;
  /**
   * Returns another value after each commit, of this process or another one, without a query. Undefined where that is
   * not known: always on PostgreSQL, and while another process has locked the file.
   */
  readonly readRevision: ReadRevision;
  /**
   * Calls the listener for every notification of a channel of PostgreSQL, and whenever some may have been missed, until
   * the returned function is called. SQLite has no notifications.
   */
  readonly listen: (channel: string, onNotified: (payload?: string) => void) => Promise<() => Promise<void>>;
  /**
   * Executes the SQL of a library over a separate connection, with types that Prisma does not know. Rejects on SQLite.
   */
  readonly queryOnOwnConnection: (
    text: string,
    values?: readonly unknown[],
  ) => Promise<readonly Record<string, unknown>[]>;
  /** Ends the connections. Calling it again returns the same promise. */
  readonly close: () => Promise<void>;
}

/**
 * The guarantee of a commit to SQLite. `normal`: a crash of the process loses nothing, a power cut may lose the last
 * commits. `full`: a power cut loses nothing either, and every commit waits for the disk.
 */
export type SqliteSynchronous = 'normal' | 'full';

export interface CreateDatabaseOptions {
  /** `file:<path>` for SQLite, `postgres://…` for PostgreSQL. */
  readonly url: string;
  /** `normal` unless given. */
  readonly sqliteSynchronous?: SqliteSynchronous;
  /**
   * How long a query or transaction waits while another process has locked the SQLite file, in milliseconds; 30,000
   * unless given. Then it rejects with the failure `busy`.
   */
  readonly lockedMs?: number;
  /** Most connections to PostgreSQL at a time; 10 unless given. SQLite always has one. */
  readonly maxConnections?: number;
  /** How long to wait for a PostgreSQL connection, in milliseconds; 5,000 unless given. */
  readonly connectionTimeoutMs?: number;
  /**
   * How long PostgreSQL lets a transaction wait for its next statement, in milliseconds; 7,000 unless given. The locks of
   * a process that is paused or cut off then no longer hold up the others.
   */
  readonly idleInTransactionMs?: number;
  /** Called when PostgreSQL closes an idle connection. The pool replaces it. */
  readonly onConnectionLost?: (error: Error) => void;
}

// Longer than a statement waits for a locked file.
const transactionOptions = { maxWait: 35_000 };

const sqliteSetUp = (synchronous: SqliteSynchronous): string => `
PRAGMA busy_timeout = 0;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'};
PRAGMA foreign_keys = ON;
`;

/**
 * Opens the database and checks that it answers. Run `applyMigrations` first. Rejects with `invalid_request`, reason
 * `database_url_invalid`, or `unavailable`, reason `database_unreachable`.
 */
export async function createDatabase(options: CreateDatabaseOptions): Promise<Database> {
  const location = parseDatabaseUrl(options.url);
  let readRevision: ReadRevision = () => undefined;
  const onConnected = (reader: ReadRevision): void => void (readRevision = reader);
  const db =
    location.provider === 'sqlite'
      ? await openSqlite(location.file, options, onConnected)
      : await openPostgres(location.url, options);
  try {
    await db.$queryRawUnsafe('SELECT 1');
  } catch (cause) {
    await db.$disconnect();
    throw databaseUnreachable(cause);
  }
  let closing: Promise<void> | undefined;
  return {
    db,
    provider: location.provider,
    unitOfWork: createUnitOfWork(db, location.provider),
    readRevision: () => readRevision(),
    listen: async (channel, onNotified) => {
      if (location.provider === 'sqlite') return () => Promise.resolve();
      const { listenToChannel } = await import('./listen-to-channel.js');
      return listenToChannel({ url: location.url, channel, onNotified });
    },
    queryOnOwnConnection: async (text, values) => {
      if (location.provider === 'sqlite') throw new Error('Only PostgreSQL has connections.');
      const { queryOnOwnConnection } = await import('./query-on-own-connection.js');
      return queryOnOwnConnection(location.url, text, values);
    },
    close: () => (closing ??= db.$disconnect()),
  };
}

async function openSqlite(
  file: string,
  { sqliteSynchronous = 'normal', lockedMs = defaultLockedMs }: CreateDatabaseOptions,
  onConnected: (readRevision: ReadRevision) => void,
): Promise<Db> {
  try {
    createPrivateFile(file);
  } catch (cause) {
    throw databaseUnreachable(cause);
  }
  const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3');
  const { PrismaClient } = await import('./generated/sqlite/client.js');
  const factory = new PrismaBetterSqlite3({ url: file, timeout: 0 });
  const adapter = exclusiveSqliteAdapter(factory, { setUp: sqliteSetUp(sqliteSynchronous), onConnected, lockedMs });
  return new PrismaClient({ adapter, transactionOptions });
}

async function openPostgres(url: string, options: CreateDatabaseOptions): Promise<Db> {
  const { maxConnections = 10, connectionTimeoutMs = 5000, onConnectionLost = () => undefined } = options;
  // Shorter than the lease of a worker without its last heartbeat: when others may take its runs over, they can.
  const { idleInTransactionMs = 7_000 } = options;
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { PrismaClient } = await import('./generated/postgresql/client.js');
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: connectionTimeoutMs,
      idleTimeoutMillis: 30_000,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      application_name: 'weir',
    },
    { onPoolError: onConnectionLost, onConnectionError: onConnectionLost },
  );
  // Both clients are generated from the same models; only the types of options that Weir does not use differ.
  return new PrismaClient({ adapter, transactionOptions }) as unknown as Db;
}
