import type { ActionContext } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import type { ActionLog } from '../../host/logs/action-log';
import { durationMs } from '../../values/text/duration';
import { createRedisClient, type ConnectionSettings, type RedisClient } from './redis-client';

const defaultTimeoutMs = 30_000;

/** One connection for the work, closed by a stop or the timeout. */
export async function withRedis<T>(
  { signal, log }: Pick<ActionContext, 'signal' | 'log'>,
  settings: ConnectionSettings,
  use: (redis: RedisClient) => Promise<T>,
): Promise<T> {
  const timeoutMs = durationMs('timeout', settings.timeout, defaultTimeoutMs);
  const limit = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, limit]);
  const client = await createRedisClient(settings, timeoutMs);
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

/** Messages of the server may quote values, so they go to the log, where secrets are masked. */
function toFailure(error: unknown, problem: unknown, log: ActionLog): unknown {
  const refusal = [problem, error, lastNodeError(error)].find(
    (each) => each instanceof Error && each.name === 'ReplyError',
  );
  if (refusal instanceof Error) {
    log.note(refusal.message);
    return actionFailed('The Redis server refused this.', refusal);
  }
  const code = errorCode(problem) ?? errorCode(error) ?? errorCode(lastNodeError(error));
  if (code === 'unavailable') return error;
  return actionFailed(
    `The Redis server cannot be reached, or the connection was lost${code === undefined ? '' : ` (${code})`}.`,
    error,
  );
}

/** Why no node of a cluster could be used. */
function lastNodeError(error: unknown): unknown {
  return error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : undefined;
}
