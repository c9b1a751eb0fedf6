import type { Redis } from 'ioredis';
import type { SettingsFor } from '@weir/workflow-spec';
import type { ActionContext } from '../action-executor';
import { actionFailed, errorCode } from '../action-errors';
import type { ActionLog } from '../action-log';
import { durationMs } from '../duration';

export type ConnectionSettings = SettingsFor<'redis.ping'>;

const defaultTimeoutMs = 30_000;

/** One connection for the work, closed by a stop or the timeout. */
export async function withRedis<T>(
  { signal, log }: Pick<ActionContext, 'signal' | 'log'>,
  settings: ConnectionSettings,
  use: (redis: Redis) => Promise<T>,
): Promise<T> {
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, limit]);
  // Loaded on first use: most servers never open a connection.
  const { Redis: Client } = await import('ioredis');
  const options = toOptions(settings, timeoutMs);
  const client = settings.url === undefined ? new Client(options) : new Client(settings.url, options);
  let problem: unknown;
  client.on('error', (error: unknown) => (problem ??= error));
  const onAbort = (): void => client.disconnect();
  ended.addEventListener('abort', onAbort, { once: true });
  try {
    ended.throwIfAborted();
    await client.connect();
    return await use(client);
  } catch (error) {
    if (signal.aborted) throw error;
    if (limit.aborted) throw actionFailed(`There was no result within ${timeoutMs / 1_000} seconds.`, error);
    throw toFailure(error, problem, log);
  } finally {
    ended.removeEventListener('abort', onAbort);
    client.disconnect();
  }
}

function toOptions({ host, port, username, password, db, tls, url }: ConnectionSettings, connectTimeout: number) {
  if (url === undefined && host === undefined)
    throw actionFailed('url or host is missing, here and in the redis of the DAG.');
  if (url !== undefined && !/^rediss?:\/\//.test(url)) throw actionFailed('url must begin with redis:// or rediss://.');
  return {
    lazyConnect: true,
    // The retry policy of the step decides, not the library.
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout,
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(db === undefined ? {} : { db }),
    ...(tls === true ? { tls: {} } : {}),
  };
}

/** What the server says may quote values, so it goes to the log, where secrets are masked. */
function toFailure(error: unknown, problem: unknown, log: ActionLog): unknown {
  const refusal = [problem, error].find((each) => each instanceof Error && each.name === 'ReplyError');
  if (refusal instanceof Error) {
    log.note(refusal.message);
    return actionFailed('The Redis server refused this.', refusal);
  }
  const code = errorCode(problem) ?? errorCode(error);
  if (code === 'unavailable') return error;
  return actionFailed(
    `The Redis server cannot be reached, or the connection was lost${code === undefined ? '' : ` (${code})`}.`,
    error,
  );
}
