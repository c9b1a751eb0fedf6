import type { Client, ClientConfig, CustomTypesConfig } from 'pg';
import { isAppError, type AppError } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import type { ActionLog } from '../../host/logs/action-log';

export interface SessionOptions {
  readonly dsn: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly log: ActionLog;
}

const connectMs = 30_000;
const cancelMs = 5_000;
const serverSlackMs = 5_000;

/** One connection for the work. A stop or the timeout cancels what the server executes. */
export async function withPostgres<T>(options: SessionOptions, use: (client: Client) => Promise<T>): Promise<T> {
  const { dsn, timeoutMs, signal, log } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, limit]);
  // Loaded on first use: most servers never open a connection.
  const { default: pg } = await import('pg');
  // The server ends the statement too, should this process be killed; later, so that its own timeout is no surprise.
  const config: ClientConfig = {
    ...parseDsn(dsn),
    types,
    statement_timeout: timeoutMs + serverSlackMs,
    connectionTimeoutMillis: connectMs,
  };
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  client.on('notice', ({ message }) => {
    if (message !== undefined) log.note(message);
  });
  let cancelling: Promise<unknown> | undefined;
  try {
    await client.connect();
    const { rows } = await client.query<[number]>({ text: 'SELECT pg_backend_pid()', rowMode: 'array' });
    const onAbort = (): void => void (cancelling ??= cancel(new pg.Client(config), rows[0]?.[0] ?? 0));
    ended.addEventListener('abort', onAbort, { once: true });
    if (ended.aborted) onAbort();
    return await use(client);
  } catch (error) {
    if (limit.aborted && !signal.aborted) throw actionFailed(`There was no end within ${timeoutMs / 1_000} seconds.`);
    throw signal.aborted ? error : toFailure(error, log);
  } finally {
    await cancelling;
    await client.end().catch(() => undefined);
  }
}

/** Sent over another connection, because the first one waits for its statement. */
async function cancel(client: Client, pid: number): Promise<void> {
  const timer = setTimeout(() => void client.end().catch(() => undefined), cancelMs);
  try {
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SELECT pg_cancel_backend($1)', [pid]);
  } catch {
    // The server ends the statement by its own timeout then.
  } finally {
    clearTimeout(timer);
    await client.end().catch(() => undefined);
  }
}

/** What the server says may quote values, so it goes to the log, where secrets are masked. */
function toFailure(error: unknown, log: ActionLog): unknown {
  if (isAppError(error)) return error;
  const code = errorCode(error);
  if (code === undefined) return isConnectionProblem(error) ? notReached(undefined, error) : error;
  if (!/^[0-9A-Z]{5}$/.test(code)) return notReached(code, error);
  if (error instanceof Error) log.note(error.message);
  return actionFailed(`The database refused this (SQLSTATE ${code}).`, error);
}

function isConnectionProblem(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error;
}

function notReached(code: string | undefined, cause: unknown): AppError {
  return actionFailed(
    `The database cannot be reached, or the connection was lost${code === undefined ? '' : ` (${code})`}.`,
    cause,
  );
}

const names: Readonly<Record<string, string>> = { dbname: 'database', hostaddr: 'host' };
const known = new Set(['host', 'port', 'user', 'password', 'database']);

/** A URL, or words such as `host=db dbname=orders`. */
function parseDsn(dsn: string): ClientConfig {
  if (/^postgres(?:ql)?:\/\//.test(dsn)) return { connectionString: dsn };
  const config: Record<string, string | boolean> = {};
  for (const [, key = '', quoted, plain = ''] of dsn.matchAll(/(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))/g)) {
    const name = names[key] ?? key;
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (name === 'sslmode') config.ssl = value !== 'disable';
    else if (known.has(name)) config[name] = value;
    else throw actionFailed(`dsn has a word that is not supported: ${key}.`);
  }
  if (Object.keys(config).length === 0)
    throw actionFailed('dsn is neither a URL of PostgreSQL nor words such as host=.');
  return config;
}

const toNumber = (text: string): number => Number(text);
const toSafeInteger = (text: string): number | string => (Number.isSafeInteger(Number(text)) ? Number(text) : text);
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [20, toSafeInteger],
  [21, toNumber],
  [23, toNumber],
  [26, toNumber],
  [700, toNumber],
  [701, toNumber],
  [114, (text) => JSON.parse(text) as unknown],
  [3802, (text) => JSON.parse(text) as unknown],
]);

/** Dates, times and exact numbers stay as the server writes them: a Date would move them to another zone. */
const types: CustomTypesConfig = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? ((text: string) => text)) as CustomTypesConfig['getTypeParser'],
};
