import { existsSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { describeUnless, freePort, spawnProcess, waitFor, type SpawnedProcess } from '@weir/test-kit';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';

const program = '/usr/bin/redis-server';
const missing = existsSync(program)
  ? undefined
  : 'redis-server is not installed (Debian: redis-server; tools/scripts/install-hosts.sh)';

describeUnless(missing, 'no command was sent to a Redis server')('redis.*', () => {
  let server: SpawnedProcess;
  let fixture: ActionFixture;
  let connection: JsonObject;
  let serverPort: number;

  beforeAll(async () => {
    const port = await freePort();
    const options = [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--requirepass',
      'horse',
    ];
    server = await spawnProcess({ command: program, args: options, deadlineMs: 300_000 });
    await waitFor(() => server.stdout().includes('Ready to accept connections') || undefined, {
      deadlineMs: 60_000,
      what: 'the Redis server to accept connections',
    });
    serverPort = port;
    connection = { host: '127.0.0.1', port, password: 'horse' };
  }, 90_000);
  afterAll(() => server.stop({ signal: 'SIGTERM' }));

  beforeEach(async () => {
    fixture = await actionFixture();
    await call('redis.eval', { script: `return redis.call('FLUSHALL')` });
  });
  afterEach(() => fixture.remove());

  async function call(action: ExecutableActionName, settings: JsonObject = {}): Promise<string> {
    const { outcome, stdout, stderr } = await fixture.run(action, { ...connection, ...settings });
    if (outcome.status !== 'succeeded') throw new Error(`${outcome.error ?? ''} ${stderr}`);
    return stdout.replace(/\n$/, '');
  }

  async function readFailure(action: ExecutableActionName, settings: JsonObject, options: RunOptions = {}) {
    const { outcome, stdout, stderr } = await fixture.run(action, { ...connection, ...settings }, options);
    return { status: outcome.status, error: outcome.error, text: `${outcome.error ?? ''}${stdout}${stderr}` };
  }

  it('stores values, with conditions and a time to live', async () => {
    expect(await call('redis.ping')).toBe('PONG');
    expect(await call('redis.set', { key: 'a', value: { b: [1] }, ttl: '1h' })).toBe('OK');
    expect(await call('redis.get', { key: 'a' })).toBe('{"b":[1]}');
    expect(Number(await call('redis.ttl', { key: 'a' }))).toBeGreaterThan(3_500);
    expect(await call('redis.set', { key: 'a', value: 'x', nx: true })).toBe('');
    expect(await call('redis.set', { key: 'c', value: 'x', xx: true })).toBe('');
    expect(await call('redis.get', { key: 'c' })).toBe('');
    expect(await call('redis.expire', { key: 'a', ttl: 5 })).toBe('1');
    expect(await call('redis.exists', { key: ['a', 'c'] })).toBe('1');
    expect(await call('redis.del', { key: 'a' })).toBe('1');
  });

  it('counts, and lists keys by a pattern', async () => {
    expect(await call('redis.incr', { key: 'n:1' })).toBe('1');
    expect(await call('redis.incr', { key: 'n:1', amount: 5 })).toBe('6');
    await call('redis.set', { key: 'n:2', value: 1 });
    await call('redis.set', { key: 'other', value: 1 });
    expect(await call('redis.keys', { pattern: 'n:*' })).toBe('["n:1","n:2"]');
    expect((await readFailure('redis.keys', { pattern: 'n:*', limit: 1 })).error).toBe('More than 1 keys match.');
  });

  it('stores hashes', async () => {
    expect(await call('redis.hset', { key: 'h', values: { a: 1, b: 'two' } })).toBe('2');
    expect(await call('redis.hset', { key: 'h', field: 'c', value: 'x y' })).toBe('1');
    expect(await call('redis.hget', { key: 'h', field: 'c' })).toBe('x y');
    expect(await call('redis.hdel', { key: 'h', field: ['c', 'd'] })).toBe('1');
    expect(JSON.parse(await call('redis.hgetall', { key: 'h' }))).toEqual({ a: '1', b: 'two' });
  });

  it('stores lists, sets and sorted sets', async () => {
    expect(await call('redis.rpush', { key: 'l', value: ['b', 'c'] })).toBe('2');
    expect(await call('redis.lpush', { key: 'l', value: 'a' })).toBe('3');
    expect(await call('redis.lrange', { key: 'l', stop: 1 })).toBe('["a","b"]');
    expect(await call('redis.llen', { key: 'l' })).toBe('3');
    expect(await call('redis.lpop', { key: 'l' })).toBe('a');
    expect(await call('redis.rpop', { key: 'l' })).toBe('c');
    expect(await call('redis.sadd', { key: 's', value: ['x', 'y', 'x'] })).toBe('2');
    expect(await call('redis.srem', { key: 's', value: 'y' })).toBe('1');
    expect(await call('redis.smembers', { key: 's' })).toBe('["x"]');
    await call('redis.zadd', { key: 'z', score: 2, value: 'b' });
    await call('redis.zadd', { key: 'z', score: 1, value: 'a' });
    expect(await call('redis.zrange', { key: 'z' })).toBe('["a","b"]');
    expect(await call('redis.publish', { channel: 'news', message: 'x' })).toBe('0');
  });

  it('executes scripts and transactions', async () => {
    const script = 'return {KEYS[1], ARGV[1]}';
    expect(await call('redis.eval', { script, keys: ['k'], args: ['v'] })).toBe('["k","v"]');
    const commands = [
      ['SET', 'p', 'a b'],
      ['INCRBY', 'q', 2],
      ['GET', 'p'],
    ];
    expect(await call('redis.pipeline', { commands })).toBe('["OK",2,"a b"]');
  });

  it('accepts the server as a URL', async () => {
    const url = `redis://:horse@127.0.0.1:${serverPort}/1`;
    const { outcome, stdout } = await fixture.run('redis.set', { url, key: 'a', value: 'x' });
    expect([outcome.status, stdout]).toEqual(['succeeded', 'OK\n']);
    expect(await call('redis.get', { key: 'a', db: 1 })).toBe('x');
  });

  it('fails with the message of the server in the log only', async () => {
    await call('redis.set', { key: 'a', value: 'text' });
    const { error, text } = await readFailure('redis.incr', { key: 'a' });
    expect(error).toBe('The Redis server refused this.');
    expect(text).toContain('ERR value is not an integer');
  });

  it('limits the size of the result', async () => {
    await call('redis.set', { key: 'a', value: 'x'.repeat(100) });
    const { error } = await readFailure('redis.get', { key: 'a', max_result_size: 10 });
    expect(error).toBe('The result is larger than 10 bytes.');
  });

  it.each([
    ['a wrong password', { password: 'hunter2' }, 'The Redis server refused this.'],
    [
      'no server',
      { port: 1, password: 'hunter2' },
      'The Redis server cannot be reached, or the connection was lost (ECONNREFUSED).',
    ],
  ])('fails on %s, without repeating it', async (_, settings, error) => {
    const failure = await readFailure('redis.ping', settings);
    expect(failure.error).toBe(error);
    expect(failure.text).not.toContain('hunter2');
  });

  describe('of a server that does not answer', () => {
    let silent: Server;
    let port: number;

    beforeEach(async () => {
      silent = createServer();
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      port = (silent.address() as AddressInfo).port;
    });
    afterEach(() => silent.close());

    it('gives up in time', async () => {
      const { error } = await readFailure('redis.ping', { port, timeout: '300ms' });
      expect(error).toBe('There was no result within 0.3 seconds.');
    });

    it('ends when the step is stopped', async () => {
      const stop = new AbortController();
      silent.once('connection', () => stop.abort());
      const { status } = await readFailure('redis.ping', { port }, { signal: stop.signal });
      expect(status).toBe('aborted');
    });
  });
});
