import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { startPostgresServer, type PostgresServer } from './postgres-server';

const connectionTimeoutMs = 10_000;

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Closes its connections and drops it. */
  readonly drop: () => Promise<void>;
}

export interface TestPostgres {
  /** The URL of a database whose user can create others; other specs can use the same server with it. */
  readonly url: string;
  /** Creates an empty database, or a copy of a template without connections. */
  readonly createDatabase: (options?: { readonly template?: string }) => Promise<TestDatabase>;
  /** The kept part of the started server's log. */
  readonly log: () => string;
  /** Drops the created databases, and stops the server if it was started here. */
  readonly stop: () => Promise<void>;
}

export interface StartPostgresOptions {
  /** A running server of version 15 or newer. Default: WEIR_TEST_POSTGRES_URL; without either a server is started. */
  readonly url?: string;
  /** An address of this machine on which the started server listens besides the loopback one. */
  readonly address?: string;
  /** More settings of the server that is started. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A PostgreSQL server for specs. Starting one takes about two seconds; see `shared-postgres-setup` for one per Jest
 * run. Rejects with instructions if there is none; there is no fallback.
 */
export async function startPostgres(options: StartPostgresOptions = {}): Promise<TestPostgres> {
  const url = options.url ?? process.env.WEIR_TEST_POSTGRES_URL ?? '';
  const server = url === '' ? await startPostgresServer(options) : await existingServer(url);
  const created = new Set<TestDatabase>();

  const createDatabase = async ({ template }: { readonly template?: string } = {}) => {
    const name = `weir_test_${randomBytes(8).toString('hex')}`;
    const source = template === undefined ? '' : ` TEMPLATE ${escapeIdentifier(template)}`;
    // The other strategy writes each page of the template to the log.
    await execute(server.url, `CREATE DATABASE ${escapeIdentifier(name)}${source} STRATEGY file_copy`);
    const database: TestDatabase = {
      name,
      url: withDatabase(server.url, name),
      drop: async () => {
        if (!created.delete(database)) return;
        await execute(server.url, `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
      },
    };
    created.add(database);
    return database;
  };

  const stop = async () => {
    // They are dropped one after the other: dropping many at once makes PostgreSQL run a checkpoint for each.
    for (const database of [...created]) await database.drop();
    await server.stop();
  };

  return { url: server.url, createDatabase, log: server.log, stop };
}

async function existingServer(url: string): Promise<PostgresServer> {
  try {
    await execute(url, 'SELECT 1');
  } catch (cause) {
    throw new Error(
      'WEIR_TEST_POSTGRES_URL names a PostgreSQL that does not answer. Start it, or unset the variable to use a ' +
        'throw-away server.',
      { cause },
    );
  }
  return { url, log: () => '', stop: () => Promise.resolve() };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectionTimeoutMs });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
