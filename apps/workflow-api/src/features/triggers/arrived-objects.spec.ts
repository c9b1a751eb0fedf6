import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DagExplanation } from '@weir/workflow-contract/schemas';
import { createManualClock, createRecordingLogger, type ManualClock } from '@weir/test-kit';
import { createInMemoryDagFlagRepository } from '../dags';
import { createInMemoryDagRunRepository, type DagRunRepository } from '../runs';
import { createTestWorkflow, hostEnvironment, type TestWorkflow } from '../../testing/workflow-api';

const start = Date.parse('2026-06-01T12:00:00Z');
/** The clock of the store is wrong by this. */
const ahead = 3_600_000;
const pageSize = 2;
const everywhere = { unassigned: true, named: 'all' } as const;
const keys = 'access_key_id: "${KEY_ID}", secret_access_key: "${SECRET}"';

interface Stored {
  readonly etag: string;
  readonly modifiedMs: number;
}

describe('objects that arrive', () => {
  let clock: ManualClock;
  let logger: ReturnType<typeof createRecordingLogger>;
  let runs: DagRunRepository;
  let flags: ReturnType<typeof createInMemoryDagFlagRepository>;
  let opened: TestWorkflow[];
  let store: Server;
  let endpoint: string;
  let objects: Map<string, Stored>;
  let requests: { readonly url: URL; readonly keyId: string | undefined; readonly token: unknown }[];
  let refusal: string | undefined;
  let seconds: number;

  beforeEach(async () => {
    clock = createManualClock(new Date(start));
    logger = createRecordingLogger();
    runs = createInMemoryDagRunRepository();
    flags = createInMemoryDagFlagRepository();
    opened = [];
    objects = new Map();
    requests = [];
    refusal = undefined;
    seconds = 0;
    store = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://store');
      const keyId = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1];
      // The library repeats a refused request when the clock of the store is another one.
      if (String(request.headers['amz-sdk-request']).startsWith('attempt=1')) {
        requests.push({ url, keyId, token: request.headers['x-amz-security-token'] });
      }
      response.sendDate = false;
      response.setHeader('date', new Date(storeNow()).toUTCString());
      if (refusal === undefined) response.end(listing(url.searchParams));
      else response.writeHead(403).end(`<Error><Code>${refusal}</Code><Message>${keyId}</Message></Error>`);
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await Promise.all(opened.map((test) => test.stop()));
    await new Promise((resolve) => store.close(resolve));
  });

  const storeNow = () => start + seconds * 1000 + ahead;
  const listing = (search: URLSearchParams) => {
    const from = Number(search.get('continuation-token') ?? 0);
    const all = [...objects].filter(([key]) => key.startsWith(search.get('prefix') ?? ''));
    const contents = all
      .slice(from, from + pageSize)
      .map(
        ([key, { etag, modifiedMs }]) =>
          `<Contents><Key>${key}</Key><LastModified>${new Date(modifiedMs).toISOString()}</LastModified>` +
          `<ETag>"${etag}"</ETag><Size>3</Size></Contents>`,
      );
    const next = from + pageSize;
    const more = next < all.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`;
  };
  const put = (key: string, etag = 'e1') => objects.set(key, { etag, modifiedMs: storeNow() });
  const spec = (rest = '', s3 = keys) =>
    [
      'secrets: [{name: KEY_ID, provider: env, key: STORE_KEY_ID}, {name: SECRET, provider: env, key: STORE_SECRET}]',
      `triggers: [{files: "s3://bucket/in/*.csv", quiet: 30s, s3: {endpoint: "${endpoint}", ${s3}}${rest}}]`,
      'steps: [{run: "true"}]',
    ].join('\n');
  const open = async (text = spec(), environment: Record<string, string> = {}): Promise<TestWorkflow> => {
    const variables = { STORE_KEY_ID: 'the-key-id', STORE_SECRET: 'hunter2-hunter2', ...environment };
    const test = await createTestWorkflow({
      clock,
      platform: { runs, flags },
      options: { logger, hostEnvironment: { ...hostEnvironment, ...variables } },
    });
    opened.push(test);
    await test.application.files.catalog.ready();
    test.application.fileTriggers.follow();
    await test.addDag('load', text);
    return test;
  };
  const pass = (forSeconds: number) => {
    seconds += forSeconds;
    clock.set(new Date(start + seconds * 1000));
  };
  const tick = (test: TestWorkflow) => test.application.fileTriggers.tick();
  const wait = async (test: TestWorkflow, forSeconds = 60) => {
    pass(forSeconds);
    await tick(test);
  };
  const listFiles = async () => {
    const found = await runs.scan({ dagName: 'load', workspaces: everywhere, limit: 2000 });
    const all = await Promise.all(found.map(({ id }) => runs.findById(id)));
    return all
      .map((run) => run?.resolvedParams.find(({ name }) => name === 'WEIR_TRIGGER_FILES')?.value ?? '[]')
      .map((text) => JSON.parse(text) as string[])
      .toSorted();
  };
  const explain = async (test: TestWorkflow) => {
    const as = await test.createKey('viewer');
    return ((await test.api.send('GET /dags/load/explain', { as })).body as DagExplanation).files;
  };
  const warnings = () =>
    logger.entries.flatMap(({ level, fields }) => (level === 'warn' ? [String(fields.problem)] : []));

  it('start one run each once they have been quiet by the clock of the store', async () => {
    put('in/a.csv');
    put('in/a.txt');
    put('other/b.csv');
    put('in/b.txt');
    const test = await open();
    pass(20);
    put('in/b.csv');
    await wait(test, 20);
    await expect(listFiles()).resolves.toEqual([['s3://bucket/in/a.csv']]);
    await wait(test);
    await wait(test);
    await expect(listFiles()).resolves.toEqual([['s3://bucket/in/a.csv'], ['s3://bucket/in/b.csv']]);
    await expect(runs.findLatest('load')).resolves.toMatchObject({
      triggerType: 'file',
      startedBy: { kind: 'file', name: 's3://bucket/in/b.csv' },
    });
    expect(requests[0]?.url.searchParams.get('prefix')).toBe('in/');
  });

  it('start one run together with batch', async () => {
    put('in/a.csv');
    put('in/b.csv');
    await wait(await open(spec(', batch: true')));
    await expect(listFiles()).resolves.toEqual([['s3://bucket/in/a.csv', 's3://bucket/in/b.csv']]);
  });

  it('start again with another content, and not with one that was there before', async () => {
    put('in/a.csv', 'e1');
    const test = await open();
    await wait(test);
    await wait(test);
    put('in/a.csv', 'e2');
    await wait(test);
    await expect(listFiles()).resolves.toHaveLength(2);
    for (const etag of ['e1', 'e1', 'e2']) {
      objects.clear();
      await wait(test);
      put('in/a.csv', etag);
      await wait(test);
      await wait(test);
    }
    await expect(listFiles()).resolves.toHaveLength(2);
  });

  it('start again when they were stored again in a store without ETags', async () => {
    put('in/a.csv', '');
    const test = await open();
    await wait(test);
    put('in/a.csv', '');
    await wait(test);
    await wait(test);
    await expect(listFiles()).resolves.toHaveLength(2);
  });

  it('start after downtime what has no run yet, with several servers once', async () => {
    put('in/a.csv');
    const first = await open();
    await wait(first);
    put('in/b.csv');
    await open();
    await open();
    pass(60);
    await Promise.all(opened.map((test) => tick(test)));
    pass(60);
    await Promise.all(opened.map((test) => tick(test)));
    await expect(listFiles()).resolves.toEqual([['s3://bucket/in/a.csv'], ['s3://bucket/in/b.csv']]);
  });

  it('wait while the DAG is suspended', async () => {
    const test = await open();
    const as = await test.createKey('admin');
    await test.api.send('POST /dags/load/suspend', { as, body: { suspend: true } });
    put('in/a.csv');
    await wait(test);
    expect(requests).toEqual([]);
    await test.api.send('POST /dags/load/suspend', { as, body: { suspend: false } });
    await wait(test);
    await expect(listFiles()).resolves.toHaveLength(1);
  });

  it('are listed once a minute, and less often while that fails', async () => {
    const test = await open();
    const listedAfter = async (forSeconds: number) => {
      const before = requests.length;
      await wait(test, forSeconds);
      return requests.length - before;
    };
    await expect(listedAfter(0)).resolves.toBe(1);
    await expect(listedAfter(59)).resolves.toBe(0);
    refusal = 'AccessDenied';
    await expect(listedAfter(1)).resolves.toBe(1);
    await expect(listedAfter(119)).resolves.toBe(0);
    await expect(listedAfter(1)).resolves.toBe(1);
    for (const forSeconds of [240, 480, 600]) await expect(listedAfter(forSeconds)).resolves.toBe(1);
    await expect(listedAfter(599)).resolves.toBe(0);
    refusal = undefined;
    await expect(listedAfter(1)).resolves.toBe(1);
    await expect(listedAfter(60)).resolves.toBe(1);
  });

  it('are listed with the secrets of the DAG, which no log has', async () => {
    refusal = 'InvalidAccessKeyId';
    const test = await open();
    await wait(test);
    await wait(test, 600);
    refusal = 'AccessDenied';
    await wait(test, 600);
    expect(new Set(requests.map(({ keyId }) => keyId))).toEqual(new Set(['the-key-id']));
    expect(warnings()).toEqual([
      'The store refused this (InvalidAccessKeyId, status 403).',
      'The store refused this (AccessDenied, status 403).',
    ]);
    expect(JSON.stringify(logger.entries)).not.toMatch(/the-key-id|hunter2/);
    refusal = undefined;
    await wait(test, 600);
    expect(logger.messages('info')).toContain('objects of a trigger can be listed again');
  });

  it('are not listed without the secrets, nor with files and variables of the server', async () => {
    const test = await open(spec().replace('STORE_SECRET', 'WEIR_SECRET'), { WEIR_SECRET: 'hunter2-hunter2' });
    await wait(test);
    await test.addDag(
      'load',
      spec().replace('provider: env, key: STORE_SECRET', 'provider: file, key: ../data/weir.db'),
    );
    await wait(test, 600);
    await test.addDag('load', spec().replace('key: STORE_SECRET', 'key: MISSING'));
    await wait(test, 600);
    expect(requests).toEqual([]);
    expect(warnings()).toEqual([
      'The secret "SECRET" cannot be used: WEIR_SECRET is a setting of the server.',
      'The secret "SECRET" cannot be used: the file "../data/weir.db" belongs to the server or to another run.',
      'The secret "SECRET" cannot be used: the server has no variable MISSING.',
    ]);
  });

  it('are listed with stored secrets of the workspace of the DAG', async () => {
    const stored = spec().replace('provider: env, key: STORE_KEY_ID', 'ref: key-id');
    const test = await open(`labels: [workspace=lab]\n${stored}`);
    const as = await test.createKey('admin');
    await test.api.send('POST /workspaces', { as, body: { name: 'ops' } });
    const secret = { ref: 'key-id', value: 'key-of-ops', workspace: 'ops', providerType: 'dagu-managed' };
    await test.api.send('POST /secrets', { as, body: secret });
    await wait(test);
    expect(requests).toEqual([]);
    await test.addDag('load', `labels: [workspace=ops]\n${stored}`);
    await wait(test, 600);
    expect(requests).toMatchObject([{ keyId: 'key-of-ops' }]);
  });

  it('are looked at in bounded numbers', async () => {
    for (let index = 0; index < pageSize * 100; index += 1) put(`in/${index}.txt`);
    put('in/z.csv');
    const test = await open();
    await wait(test);
    await expect(listFiles()).resolves.toEqual([]);
    objects.delete('in/0.txt');
    await wait(test);
    await expect(listFiles()).resolves.toHaveLength(1);
  });

  it('are reached as s3 of the DAG says what the trigger does not', async () => {
    const own = 'access_key_id: own, secret_access_key: own-secret';
    const text = `s3: {region: eu-central-1, access_key_id: of-dag, secret_access_key: x, session_token: y}\n`;
    await wait(await open(`${text}${spec('', own)}`));
    await wait(await open(`${text}${spec('', 'region: eu-west-1')}`));
    expect(requests.map(({ keyId, token }) => [keyId, token])).toEqual([
      ['own', undefined],
      ['of-dag', 'y'],
    ]);
  });

  it('are explained: which run they started, and why not yet', async () => {
    const test = await open();
    put('in/a.csv');
    await expect(explain(test)).resolves.toMatchObject([{ path: 's3://bucket/in/a.csv', state: 'changing' }]);
    await explain(test);
    expect(requests).toHaveLength(1);
    await wait(test);
    const dagRunId = (await runs.findLatest('load'))?.dagRunId;
    await expect(explain(test)).resolves.toMatchObject([{ state: 'started', dagRunId }]);
  });

  it('that are gone for a quarter start a run again', async () => {
    put('in/a.csv');
    put('in/kept.csv');
    const test = await open();
    await wait(test);
    objects.delete('in/a.csv');
    for (let day = 0; day <= 91; day += 1) await wait(test, 86_400);
    put('in/a.csv');
    await wait(test);
    await expect(listFiles()).resolves.toHaveLength(3);
  });
});
