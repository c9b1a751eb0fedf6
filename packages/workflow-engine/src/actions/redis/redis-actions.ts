import type { Redis } from 'ioredis';
import type { RedisClient } from './redis-client';
import type { JsonValue } from '@weir/workflow-spec';
import type { ExecutableActionName, SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionExecutor, ActionExecutors } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionLog } from '../../host/logs/action-log';
import { durationMs } from '../../values/text/duration';
import { isList } from '../../values/text/is-list';
import type { ConnectionSettings } from './redis-client';
import { withRedis } from './redis-session';

type RedisName = Extract<ExecutableActionName, `redis.${string}`>;
type Word = string | number;

const defaultMaxBytes = 10_485_760;
const defaultKeys = 10_000;
const scanCount = 1_000;

/** An action that calls one command; the words are sent as they are, so that no value becomes a part of the command. */
function command<Name extends RedisName>(
  toWords: (settings: SettingsFor<Name>) => readonly [string, ...Word[]],
  present: (result: unknown) => unknown = (result) => result,
): ActionExecutor<Name> {
  return action((redis, settings) => {
    const [name, ...words] = toWords(settings);
    return redis.call(name, ...words).then(present);
  });
}

function action<Name extends RedisName>(
  use: (redis: RedisClient, settings: SettingsFor<Name>) => Promise<unknown>,
): ActionExecutor<Name> {
  return async ({ settings, signal, log }) => {
    // Each of them has the keys of a connection.
    const connection = settings as ConnectionSettings;
    const result = await withRedis({ signal, log }, connection, (redis) => use(redis, settings));
    printResult(result, connection.max_result_size ?? defaultMaxBytes, log);
    return undefined;
  };
}

export const redisExecutors: Pick<ActionExecutors, RedisName> = {
  'redis.ping': command(() => ['PING']),
  'redis.get': command(({ key }) => ['GET', key]),
  'redis.set': command(({ key, value, ttl, nx, xx }) => [
    'SET',
    key,
    toWord(value),
    ...(ttl === undefined ? [] : ['PX', ttlMs(ttl)]),
    ...(nx === true ? ['NX'] : xx === true ? ['XX'] : []),
  ]),
  'redis.del': command(({ key }) => ['DEL', ...key]),
  'redis.exists': command(({ key }) => ['EXISTS', ...key]),
  'redis.expire': command(({ key, ttl }) => ['PEXPIRE', key, ttlMs(ttl)]),
  'redis.ttl': command(({ key }) => ['TTL', key]),
  'redis.incr': command(({ key, amount = 1 }) => ['INCRBY', key, amount]),
  'redis.keys': action((redis, { pattern, limit = defaultKeys }) => scan(redis, pattern, limit)),
  'redis.hget': command(({ key, field }) => ['HGET', key, field]),
  'redis.hset': command(({ key, field, value = '', values = {} }) => [
    'HSET',
    key,
    ...(field === undefined
      ? Object.entries(values).flatMap(([name, each]) => [name, toWord(each)])
      : [field, toWord(value)]),
  ]),
  'redis.hgetall': command(({ key }) => ['HGETALL', key], toObject),
  'redis.hdel': command(({ key, field }) => ['HDEL', key, ...field]),
  'redis.lpush': command(({ key, value }) => ['LPUSH', key, ...value]),
  'redis.rpush': command(({ key, value }) => ['RPUSH', key, ...value]),
  'redis.lpop': command(({ key }) => ['LPOP', key]),
  'redis.rpop': command(({ key }) => ['RPOP', key]),
  'redis.lrange': command(({ key, start = 0, stop = -1 }) => ['LRANGE', key, start, stop]),
  'redis.llen': command(({ key }) => ['LLEN', key]),
  'redis.sadd': command(({ key, value }) => ['SADD', key, ...value]),
  'redis.srem': command(({ key, value }) => ['SREM', key, ...value]),
  'redis.smembers': command(({ key }) => ['SMEMBERS', key]),
  'redis.zadd': command(({ key, score, value }) => ['ZADD', key, score, toWord(value)]),
  'redis.zrange': command(({ key, start = 0, stop = -1 }) => ['ZRANGE', key, start, stop]),
  'redis.publish': command(({ channel, message }) => ['PUBLISH', channel, message]),
  'redis.eval': command(({ script, keys = [], args = [] }) => ['EVAL', script, keys.length, ...keys, ...args]),
  'redis.pipeline': action(executeAll),
};

/** By cursor, because `KEYS` stops the whole server; of a cluster, the keys of each master. */
async function scan(redis: RedisClient, pattern: string, limit: number): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const node of 'nodes' in redis ? redis.nodes('master') : [redis]) {
    for await (const name of scanNode(node, pattern)) {
      found.add(name);
      if (found.size > limit) throw actionFailed(`More than ${limit} keys match.`);
    }
  }
  return [...found].sort();
}

async function* scanNode(node: Redis, pattern: string): AsyncGenerator<string> {
  let cursor = '0';
  do {
    const [next, names] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', scanCount);
    yield* names;
    cursor = next;
  } while (cursor !== '0');
}

async function executeAll(redis: RedisClient, { commands }: SettingsFor<'redis.pipeline'>): Promise<unknown> {
  const transaction = redis.multi();
  for (const words of commands) {
    const [name, ...rest] = isList(words) ? words.map(toWord) : [];
    if (name === undefined) throw actionFailed('commands contains something that is no list of words.');
    transaction.call(name, ...rest);
  }
  const results = (await transaction.exec()) ?? [];
  const failed = results.find(([error]) => error !== null)?.[0];
  if (failed) throw failed;
  return results.map(([, result]) => result);
}

function toObject(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  const words = result as readonly string[];
  return Object.fromEntries(words.flatMap((name, index) => (index % 2 === 0 ? [[name, words[index + 1]]] : [])));
}

function toWord(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function ttlMs(value: string | number): number {
  const found = Math.round(durationMs('ttl', value, 0));
  if (found < 1) throw actionFailed('ttl must be longer than 0.');
  return found;
}

/** A string as it is, any other value as JSON, and nothing for a value that does not exist. */
function printResult(result: unknown, maxBytes: number, log: ActionLog): void {
  if (result === null || result === undefined) return;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  if (Buffer.byteLength(text) > maxBytes) throw actionFailed(`The result is larger than ${maxBytes} bytes.`);
  log.line(text);
}
