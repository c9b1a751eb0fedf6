import { keySpec } from '../../shapes/object-kind';
import { asWritten, nonEmptyText, number, orReference, recordShape, text } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { duration } from '../../shapes/settings/duration-setting';
import { atMostOne, exactlyOne, type KeyChoice } from '../../shapes/settings/key-choice';
import { connectionKeys } from './settings/redis-settings';
import { flag, listOfAny, oneOrTexts, settingBound, texts, whole } from '../../shapes/settings/setting-shapes';
import type { SettingsTable } from '../../shapes/settings/settings-shape';

const key = keySpec('The key', nonEmptyText, { required: true });
const keys = keySpec('A key or several', oneOrTexts('key'), { required: true });
const value = keySpec('The value', asWritten, { required: true });
const values = keySpec('A value or several', oneOrTexts('value'), { required: true });
const field = keySpec('Field of the hash', nonEmptyText, { required: true });
const ttl = keySpec('Time to live', duration, { required: true });
const bound = orReference(number);
const range = {
  start: keySpec('First position; 0 by default, negative from the end', bound),
  stop: keySpec('Last position; -1, the end, by default', bound),
} as const;

function redis<const Name extends string, Keys extends SettingsTable>(
  name: Name,
  description: string,
  own: Keys,
  { isRead = false, choices = [] }: { readonly isRead?: boolean; readonly choices?: readonly KeyChoice[] } = {},
) {
  return defineAction(name, {
    description,
    execution: 'in-process',
    restart: isRead,
    dagDefaults: 'redis',
    keys: { ...own, ...connectionKeys },
    choices: [atMostOne('url', 'host'), ...choices],
  });
}

const isRead = { isRead: true } as const;

export const redisActions = [
  redis('redis.ping', 'Checks that a Redis server responds', {}, isRead),
  redis('redis.get', 'Reads a value', { key }, isRead),
  redis(
    'redis.set',
    'Writes a value',
    {
      key,
      value,
      ttl: keySpec('Time to live; for ever by default', duration),
      nx: keySpec('Only if the key does not exist', flag),
      xx: keySpec('Only if the key exists', flag),
    },
    { choices: [atMostOne('nx', 'xx')] },
  ),
  redis('redis.del', 'Deletes keys', { key: keys }),
  redis('redis.exists', 'Counts which of the keys exist', { key: keys }, isRead),
  redis('redis.expire', 'Sets the time to live of a key', { key, ttl }),
  redis('redis.ttl', 'Reads the time to live of a key in seconds', { key }, isRead),
  redis('redis.incr', 'Adds to a whole number', { key, amount: keySpec('What is added; 1 by default', bound) }),
  redis(
    'redis.keys',
    'Lists keys without blocking the server',
    {
      pattern: keySpec('Pattern of the names', nonEmptyText, { required: true }),
      limit: keySpec('Maximum number of keys; 10000 by default', whole(1, 100_000)),
    },
    isRead,
  ),
  redis('redis.hget', 'Reads a field of a hash', { key, field }, isRead),
  redis(
    'redis.hset',
    'Writes fields of a hash',
    {
      key,
      field: keySpec('Field of the hash', nonEmptyText),
      value: keySpec('The value', asWritten),
      values: keySpec('Maps fields to values', recordShape(asWritten, settingBound('values'))),
    },
    { choices: [exactlyOne('field', 'values')] },
  ),
  redis('redis.hgetall', 'Reads all fields of a hash', { key }, isRead),
  redis('redis.hdel', 'Deletes fields of a hash', {
    key,
    field: keySpec('A field or several', oneOrTexts('field'), { required: true }),
  }),
  redis('redis.lpush', 'Adds values to the begin of a list', { key, value: values }),
  redis('redis.rpush', 'Adds values to the end of a list', { key, value: values }),
  redis('redis.lpop', 'Takes the first value of a list', { key }),
  redis('redis.rpop', 'Takes the last value of a list', { key }),
  redis('redis.lrange', 'Reads values of a list', { key, ...range }, isRead),
  redis('redis.llen', 'Reads the length of a list', { key }, isRead),
  redis('redis.sadd', 'Adds members to a set', { key, value: values }),
  redis('redis.srem', 'Removes members from a set', { key, value: values }),
  redis('redis.smembers', 'Reads the members of a set', { key }, isRead),
  redis('redis.zadd', 'Adds a member to a sorted set', {
    key,
    score: keySpec('The score', bound, { required: true }),
    value,
  }),
  redis('redis.zrange', 'Reads members of a sorted set', { key, ...range }, isRead),
  redis('redis.publish', 'Publishes a message', {
    channel: keySpec('The channel', nonEmptyText, { required: true }),
    message: keySpec('The message', text, { required: true }),
  }),
  redis('redis.eval', 'Executes a Lua script', {
    script: keySpec('The script', nonEmptyText, { required: true }),
    keys: keySpec('KEYS of the script', texts('keys')),
    args: keySpec('ARGV of the script', texts('args')),
  }),
  redis('redis.pipeline', 'Executes commands in one transaction', {
    commands: keySpec('Commands, each a list of its words', listOfAny('commands'), { required: true }),
  }),
] as const;
