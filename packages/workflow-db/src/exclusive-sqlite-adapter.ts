import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils';
import { createMutex } from './mutex';
import { reuseStatements } from './reuse-statements';
import { createRevisionReader, type ReadRevision } from './sqlite-revision';
import { untilUnlocked } from './until-unlocked';

export interface ExclusiveSqliteOptions {
  /** Statements for every new connection. */
  readonly setUp: string;
  /** Called with what reads the revision over a new connection. */
  readonly onConnected: (readRevision: ReadRevision) => void;
  /** How long a query or transaction waits while another process has locked the file, in milliseconds. */
  readonly lockedMs: number;
}

/**
 * Makes transactions of the SQLite adapter exclusive. The adapter has one connection and lets every query use it at any
 * time: a query of another request then runs inside an open transaction, sees uncommitted rows, and loses its own
 * writes when that transaction rolls back. Here a query waits until the open transaction has ended. What cannot start
 * because another process has locked the file lets the others pass until it tries again, so reads are answered meanwhile.
 *
 * Transactions begin with BEGIN IMMEDIATE: a deferred one that reads before it writes fails at once when another
 * process has written in between.
 */
export function exclusiveSqliteAdapter(
  factory: SqlDriverAdapterFactory,
  { setUp, onConnected, lockedMs }: ExclusiveSqliteOptions,
): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const connection = await factory.connect();
      await untilUnlocked(() => connection.executeScript(setUp));
      if ('client' in connection) {
        const client = connection.client as Parameters<typeof reuseStatements>[0];
        // Preparing a statement reads the schema, which the process that closes the file last keeps locked.
        await untilUnlocked(() => onConnected(createRevisionReader(client)));
        reuseStatements(client);
      }
      return exclusive(connection, lockedMs);
    },
  };
}

function exclusive(adapter: SqlDriverAdapter, lockedMs: number): SqlDriverAdapter {
  const connection = yielding(adapter);
  const acquire = createMutex();
  const exclusively = <T>(work: () => Promise<T>): Promise<T> =>
    untilUnlocked(async () => {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    }, lockedMs);
  const begin = async (): Promise<() => void> => {
    const release = await acquire();
    try {
      await connection.executeScript('BEGIN IMMEDIATE');
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    queryRaw: (query) => exclusively(() => connection.queryRaw(query)),
    executeRaw: (query) =>
      exclusively(() => (returnsPages(query) ? runWhole(connection, query) : connection.executeRaw(query))),
    executeScript: (script) => exclusively(() => connection.executeScript(script)),
    dispose: () => exclusively(() => connection.dispose()),
    startTransaction: async () => openTransaction(waiting(connection, lockedMs), await untilUnlocked(begin, lockedMs)),
  };
}

/** The driver takes one step of a statement without rows, but this one frees a page per step. */
function returnsPages({ sql }: SqlQuery): boolean {
  return sql.startsWith('PRAGMA incremental_vacuum');
}

async function runWhole(connection: SqlDriverAdapter, { sql }: SqlQuery): Promise<number> {
  await connection.executeScript(sql);
  return 0;
}

const maxBlockMs = 3;

/**
 * Yields to timers and sockets every few milliseconds. SQLite answers synchronously, so a long series of queries would
 * otherwise block the whole process, and the time limit of a transaction would never fire.
 */
function yielding(connection: SqlDriverAdapter): SqlDriverAdapter {
  let yieldedAt = performance.now();
  const after =
    <A, T>(work: (argument: A) => Promise<T>) =>
    async (argument: A): Promise<T> => {
      if (performance.now() - yieldedAt >= maxBlockMs) {
        await nextTurn();
        yieldedAt = performance.now();
      }
      return work(argument);
    };
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    queryRaw: after((query) => connection.queryRaw(query)),
    executeRaw: after((query) => connection.executeRaw(query)),
    executeScript: after((script) => connection.executeScript(script)),
    startTransaction: (isolation) => connection.startTransaction(isolation),
    dispose: () => connection.dispose(),
  };
}

/** Repeats the statements of a transaction that is open, which no other query may interrupt. */
function waiting(connection: SqlDriverAdapter, lockedMs: number): SqlDriverAdapter {
  return {
    ...connection,
    queryRaw: (query) => untilUnlocked(() => connection.queryRaw(query), lockedMs),
    executeRaw: (query) => untilUnlocked(() => connection.executeRaw(query), lockedMs),
    executeScript: (script) => untilUnlocked(() => connection.executeScript(script), lockedMs),
  };
}

function openTransaction(connection: SqlDriverAdapter, release: () => void): Transaction {
  let isOpen = true;
  const run = (sql: string) => connection.executeScript(sql);

  const executeRaw = async (query: SqlQuery) => {
    const changed = await connection.executeRaw(query);
    if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') isOpen = false;
    return changed;
  };

  // Prisma sends COMMIT or ROLLBACK as a query and then calls one of these; after a COMMIT that failed it calls
  // `rollback` alone, and the connection must not stay inside the transaction.
  const end = async () => {
    try {
      if (isOpen) await run('ROLLBACK');
    } finally {
      isOpen = false;
      release();
    }
  };

  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    options: { usePhantomQuery: false },
    queryRaw: (query) => connection.queryRaw(query),
    executeRaw,
    commit: end,
    rollback: end,
    createSavepoint: (name) => run(`SAVEPOINT ${name}`),
    rollbackToSavepoint: (name) => run(`ROLLBACK TO ${name}`),
    releaseSavepoint: (name) => run(`RELEASE SAVEPOINT ${name}`),
  };
}
