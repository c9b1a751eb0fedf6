import { createHash } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { CreateBucketCommand, HeadObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { describeUnless, findObjectStore, startObjectStore, waitFor, type ObjectStore } from '@weir/test-kit';
import { actionFixture, type ActionFixture, type Ran } from '../testing/action-fixture';

const { python = '', missing } = findObjectStore();
const credentials = { access_key_id: 'user', secret_access_key: 'hunter2' };

describeUnless(missing, 'no object was stored')('s3.*', () => {
  let server: ObjectStore;
  let fixture: ActionFixture;
  let endpoint: string;
  let store: S3Client;
  let buckets = 0;
  let bucket: string;

  beforeAll(async () => {
    server = await startObjectStore(python);
    ({ endpoint } = server);
    store = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'user', secretAccessKey: 'hunter2' },
    });
  }, 100_000);
  afterAll(async () => {
    store.destroy();
    await server.stop();
  });

  beforeEach(async () => {
    fixture = await actionFixture();
    buckets += 1;
    bucket = `bucket-${buckets}`;
    await store.send(new CreateBucketCommand({ Bucket: bucket }));
  });
  afterEach(() => fixture.remove());

  const settingsOf = (settings: JsonObject): JsonObject => ({ bucket, endpoint, ...credentials, ...settings });

  async function call(action: ExecutableActionName, settings: JsonObject): Promise<Ran> {
    const ran = await fixture.run(action, settingsOf(settings));
    if (ran.outcome.status !== 'succeeded') throw new Error(`${ran.outcome.error ?? ''} ${ran.stderr}`);
    return ran;
  }

  async function put(...keys: readonly string[]): Promise<void> {
    writeFileSync(fixture.path('each'), 'x');
    for (const key of keys) await call('s3.upload', { key, source: 'each' });
  }

  const published = ({ outcome }: Ran) =>
    Object.fromEntries((outcome.outputs?.declared ?? []).map(({ name, value }) => [name, value]));

  async function readFailure(action: ExecutableActionName, settings: JsonObject) {
    const { outcome, stdout, stderr } = await fixture.run(action, settingsOf(settings));
    return { status: outcome.status, error: outcome.error, text: `${outcome.error ?? ''}${stdout}${stderr}` };
  }

  it('stores a file with its metadata, and reads it back', async () => {
    writeFileSync(fixture.path('report.json'), '{"a":1}');
    const about = { content_type: 'application/json', metadata: { team: 'sales' }, cache_control: 'no-store' };
    const stored = await call('s3.upload', { key: 'reports/a b+ü.json', source: 'report.json', ...about });

    expect(published(stored)).toEqual({
      bucket,
      key: 'reports/a b+ü.json',
      bytes: 7,
      etag: createHash('md5').update('{"a":1}').digest('hex'),
    });
    const head = await store.send(new HeadObjectCommand({ Bucket: bucket, Key: 'reports/a b+ü.json' }));
    expect(head).toMatchObject({
      ContentType: 'application/json',
      Metadata: { team: 'sales' },
      CacheControl: 'no-store',
    });
    const read = await call('s3.download', { key: 'reports/a b+ü.json', destination: 'new/copy.json' });
    expect(readFileSync(fixture.path('new/copy.json'), 'utf8')).toBe('{"a":1}');
    expect(published(read)).toMatchObject({ bytes: 7, etag: published(stored).etag });
  });

  it('stores a large file in parts', async () => {
    const content = Buffer.alloc(12 * 1_048_576, 'weir');
    writeFileSync(fixture.path('large'), content);
    const stored = await call('s3.upload', { key: 'large', source: 'large', part_size: 5, concurrency: 2 });

    expect(published(stored).etag).toMatch(/-3$/);
    await call('s3.download', { key: 'large', destination: 'copy' });
    expect(readFileSync(fixture.path('copy')).equals(content)).toBe(true);
  }, 60_000);

  it('lists objects in pages, and groups them', async () => {
    await put('logs/1', 'logs/2', 'logs/deep/3', 'other');

    const listed = await call('s3.list', { prefix: 'logs/', output_format: 'raw' });
    expect(listed.stdout).toBe('logs/1\nlogs/2\nlogs/deep/3\n');
    const first = await call('s3.list', { max_keys: 2, output_format: 'json' });
    expect(JSON.parse(first.stdout)).toEqual([
      expect.objectContaining({ key: 'logs/1', kind: 'object', size: 1 }),
      expect.objectContaining({ key: 'logs/2' }),
    ]);
    expect(published(first)).toEqual({ count: 2, truncated: true });
    const grouped = await call('s3.list', { prefix: 'logs/', delimiter: '/' });
    expect(grouped.stdout.split('\n')[0]).toBe('{"key":"logs/deep/","kind":"prefix"}');
  });

  it('deletes one object, or all with a prefix', async () => {
    await put('a', 'logs/1', 'logs/2');

    expect(published(await call('s3.delete', { prefix: 'logs/', dry_run: true }))).toEqual({ deleted: 0 });
    expect(published(await call('s3.delete', { key: 'a' }))).toEqual({ deleted: 1 });
    expect((await call('s3.list', { output_format: 'raw' })).stdout).toBe('logs/1\nlogs/2\n');
    expect(published(await call('s3.delete', { prefix: 'logs/' }))).toEqual({ deleted: 2 });
    expect((await call('s3.list', {})).stdout).toBe('');
  });

  it('uses the credentials of the step, and never those of the server', async () => {
    const { outcome } = await fixture.run('s3.list', { bucket, endpoint });

    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'access_key_id is missing, here and in the s3 of the DAG.',
    });
  });

  it.each<[string, ExecutableActionName, JsonObject, string]>([
    [
      'an object',
      's3.download',
      { key: 'nothing', destination: 'x' },
      'The store refused this (NoSuchKey, status 404).',
    ],
    ['a bucket', 's3.list', { bucket: 'nobody' }, 'The store refused this (NoSuchBucket, status 404).'],
    ['a file', 's3.upload', { key: 'a', source: 'nothing' }, 'source was not found (ENOENT).'],
    [
      'a store',
      's3.list',
      { endpoint: 'http://127.0.0.1:1' },
      'The store cannot be reached, or the connection was lost',
    ],
  ])(
    'fails without %s',
    async (_, action, settings, error) => {
      const failure = await readFailure(action, settings);

      expect(failure.error).toContain(error);
      expect(failure.text).not.toContain('hunter2');
    },
    30_000,
  );

  it('leaves no part of a file for an object that is too large', async () => {
    mkdirSync(fixture.path('to'));
    writeFileSync(fixture.path('ten'), '0123456789');
    await call('s3.upload', { key: 'ten', source: 'ten' });

    expect((await readFailure('s3.download', { key: 'ten', destination: 'to/ten', max_bytes: 9 })).error).toBe(
      'The object is larger than 9 bytes.',
    );
    expect(readdirSync(fixture.path('to'))).toEqual([]);
  });

  describe('a store that does not answer', () => {
    let silent: Server;
    const sockets: Socket[] = [];
    beforeEach(async () => {
      silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    });
    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });
    const nowhere = () => `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

    it('is given up on after the timeout', async () => {
      expect(await readFailure('s3.list', { endpoint: nowhere(), timeout: '300ms' })).toMatchObject({
        status: 'failed',
        error: 'There was no end within 0.3 seconds.',
      });
    });

    it('is given up on when the run is stopped', async () => {
      writeFileSync(fixture.path('one'), 'x');
      const connected = new Promise((resolve) => silent.once('connection', resolve));
      const stop = new AbortController();
      const settings = settingsOf({ endpoint: nowhere(), key: 'one', source: 'one' });
      const running = fixture.run('s3.upload', settings, { signal: stop.signal });
      await connected;
      stop.abort();

      expect((await running).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
    });
  });

  describe('an upload whose run is stopped', () => {
    const uploads = async () =>
      (await store.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0;
    const start = (key: string, proxy: { readonly endpoint: string }) => {
      writeFileSync(fixture.path(key), Buffer.alloc(16 * 1_048_576));
      const stop = new AbortController();
      const settings = settingsOf({ key, source: key, part_size: 5, concurrency: 1, endpoint: proxy.endpoint });
      return { stop, running: fixture.run('s3.upload', settings, { signal: stop.signal }) };
    };

    it('leaves no parts in the store, and its file', async () => {
      const stalling = await startProxy(Number(new URL(endpoint).port), { limit: 3 * 1_048_576 });
      const { stop, running } = start('large', stalling);
      await stalling.reached;
      stop.abort();

      expect((await running).outcome.status).toBe('aborted');
      await expect(uploads()).resolves.toBe(0);
      expect(existsSync(fixture.path('large'))).toBe(true);
      await stalling.close();
    });

    it('leaves nothing in the store when its creation was not answered yet', async () => {
      const holding = await startProxy(Number(new URL(endpoint).port), { isHeld: true });
      const { stop, running } = start('late', holding);
      await waitFor(async () => (await uploads()) > 0 || undefined, { what: 'the creation' });
      stop.abort();
      holding.release();

      expect((await running).outcome.status).toBe('aborted');
      await expect(uploads()).resolves.toBe(0);
      await holding.close();
    });
  });
});

interface ProxyOptions {
  /** The number of bytes taken on each connection. With fewer than those of a part, no upload in parts ends. */
  readonly limit?: number;
  /** Whether answers wait for `release`. */
  readonly isHeld?: boolean;
}

async function startProxy(port: number, { limit = Infinity, isHeld = false }: ProxyOptions) {
  const sockets: Socket[] = [];
  const events = new EventEmitter();
  const reached = once(events, 'reached');
  let holds = isHeld;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    sockets.push(client.on('error', () => undefined).on('close', () => upstream.destroy()));
    upstream.on('error', () => undefined);
    let taken = 0;
    client.on('data', (chunk: Buffer) => {
      upstream.write(chunk);
      taken += chunk.length;
      if (taken <= limit) return;
      client.pause();
      events.emit('reached');
    });
    if (holds) events.once('release', () => upstream.pipe(client));
    else upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    release: () => {
      holds = false;
      events.emit('release');
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
