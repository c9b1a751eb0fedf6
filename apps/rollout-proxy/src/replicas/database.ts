import { AppError } from '@weir/foundation';
import type { Logger, Resource } from '@weir/service-kit';
import type { Pool, PoolClient, QueryConfig } from 'pg';

export type Row = Readonly<Record<string, unknown>>;

export interface QueryResult {
  readonly rows: readonly Row[];
  readonly rowCount: number;
}

export type Query = (statement: string | QueryConfig, values?: readonly unknown[]) => Promise<QueryResult>;

/** A PostgreSQL database. Every wait for it has a deadline; it rejects with the error of the client. */
export interface Database extends Resource {
  readonly query: Query;
  /** Commits the work, or rolls it back if the work rejects. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly logger: Logger;
}

const maxConnections = 8;
const connectMs = 5_000;
/** The server gives up first, so that the outcome of a statement is known in all but the worst case. */
const statementMs = 8_000;
const answerMs = 10_000;

/** Connects when it is first used. */
export async function openDatabase({ url, logger }: DatabaseOptions): Promise<Database> {
  // Loaded only where there are replicas.
  const pg = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    keepAlive: true,
    application_name: 'weir-rollout',
  });
  // Idle connections report their errors here; those in use reject their query.
  pool.on('error', (error) => logger.warn({ error }, 'a connection to the database was lost'));
  const toResult = ({ rows, rowCount }: { rows: unknown[]; rowCount: number | null }): QueryResult => ({
    rows: rows as Row[],
    rowCount: rowCount ?? 0,
  });
  return {
    name: 'database of the replicas',
    query: async (statement, values) => toResult(await run(pool, statement, values)),
    transaction: async (work) => {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(async (statement, values) => toResult(await run(client, statement, values)));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        failure = error instanceof Error ? error : new Error('The transaction failed.', { cause: error });
        await client.query('ROLLBACK').then(
          () => (failure = isAnswered(error) || error instanceof AppError ? undefined : failure),
          () => undefined,
        );
        throw error;
      } finally {
        client.release(failure);
      }
    },
    stop: () => pool.end(),
  };
}

/** Without values it may be several statements, or one that has its own. */
function run(runner: Pool | PoolClient, statement: string | QueryConfig, values: readonly unknown[] | undefined) {
  if (typeof statement !== 'string' || values === undefined) return runner.query(statement);
  return runner.query(statement, [...values]);
}

/** Whether the server itself rejected a statement, which it has then rolled back. Otherwise its outcome is unknown. */
export function isAnswered(error: unknown): boolean {
  return sqlState(error) !== undefined && error instanceof Error && 'severity' in error;
}

/** The constraint that a statement violated. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Tells callers that they may repeat a request that failed. */
export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database of the replicas cannot be used.', {
    reason: 'database_unavailable',
    details: { retryAfterSeconds: 1 },
    cause,
  });
}
