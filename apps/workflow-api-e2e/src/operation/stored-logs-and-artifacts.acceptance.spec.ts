import { rmSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import {
  describeUnless,
  findObjectStore,
  openEvents,
  spawnProcess,
  startObjectStore,
  startPostgres,
  temporaryFolder,
  waitFor,
  type ObjectStore,
  type SpawnedProcess,
  type TestPostgres,
} from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { program, startWeir, type Weir } from '../support/weir-server';

const { python = '', missing } = findObjectStore();
const home = temporaryFolder();

describeUnless(missing, 'nothing was stored')('runs of workers on other machines', () => {
  let postgres: TestPostgres;
  let store: ObjectStore;
  let weir: Weir;
  let admin: string;
  let env: Readonly<Record<string, string>>;
  const workers: SpawnedProcess[] = [];

  beforeAll(async () => {
    [postgres, store] = await Promise.all([startPostgres(), startObjectStore(python)]);
    await fetch(`${store.endpoint}/weir`, { method: 'PUT' });
    const { url } = await postgres.createDatabase();
    env = {
      WEIR_DATABASE_URL: url,
      WEIR_SKIP_EXAMPLES: 'true',
      WEIR_STEP_ISOLATION: 'off',
      WEIR_STORE_URL: 's3://weir/e2e',
      WEIR_STORE_ENDPOINT: store.endpoint,
      WEIR_STORE_ACCESS_KEY_ID: 'user',
      WEIR_STORE_SECRET_ACCESS_KEY: 'hunter2',
    };
    weir = await startWeir({ home, env, command: 'server' });
    admin = await setUpAdmin(weir);
  }, 500_000);

  afterAll(async () => {
    for (const worker of workers) await worker.stop({ signal: 'SIGKILL' });
    await weir.dispose();
    await Promise.all([postgres.stop(), store.stop()]);
  });

  const startWorker = async (): Promise<SpawnedProcess> => {
    const worker = await spawnProcess({
      command: process.execPath,
      args: [program, 'worker'],
      env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env },
      deadlineMs: 300_000,
    });
    workers.push(worker);
    const isStarted = (): boolean => worker.stdout().includes('Weir executes queued runs');
    await waitFor(isStarted, { what: 'the worker to start', deadlineMs: 60_000 });
    return worker;
  };
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await weir.request(method, path, { token: admin, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body as Record<string, unknown>;
  };
  const queue = async (name: string, spec: string): Promise<string> => {
    await send('POST', '/dags', { name, spec });
    await send('POST', `/dags/${name}/enqueue`, { dagRunId: 'run' });
    return `/dag-runs/${name}/run`;
  };
  const ended = (run: string) =>
    waitFor(
      async () => {
        const { dagRunDetails } = await send('GET', run);
        const { statusLabel } = dagRunDetails as { statusLabel: string };
        return ['queued', 'running', 'not_started'].includes(statusLabel) ? undefined : statusLabel;
      },
      { what: `${run} to end`, deadlineMs: 90_000 },
    );
  const logOf = async (run: string, query = '') => (await send('GET', `${run}/steps/talk/log${query}`)).content;
  const download = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${weir.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${admin}`, ...headers },
    });
    return { status: response.status, text: await response.text() };
  };
  const localLogs = (name: string): readonly string[] =>
    existsSync(home.file('weir', 'logs', name)) ? readdirSync(home.file('weir', 'logs', name)) : [];

  it('are followed while they are written, and served in every way when their files are gone', async () => {
    const worker = await startWorker();
    const go = home.file('go-on');
    const run = await queue(
      'talkative',
      `artifacts: {enabled: true}
steps:
  - name: talk
    run: |
      echo first; echo oops >&2; echo made > "$DAG_RUN_ARTIFACTS_DIR/made.txt"
      until [ -e ${go} ]; do sleep 0.05; done
      echo second
  - {name: read, depends: talk, action: artifact.read, with: {path: made.txt}}
`,
    );
    await waitFor(async () => (await weir.request('GET', `${run}/steps/talk/log`, { token: admin })).status === 200, {
      what: 'the run to be stored',
    });
    const events = await openEvents(`${weir.baseUrl}${run}/steps/talk/log/follow`, {
      authorization: `Bearer ${admin}`,
    });
    await waitFor(async () => JSON.stringify((await events.nextWithin(5_000))?.data ?? '').includes('first'), {
      what: 'the first line',
      deadlineMs: 60_000,
    });
    writeFileSync(go, '');
    await events.until(({ data }) => JSON.stringify(data).includes('second'));
    await events.until(({ event }) => event === 'end');
    await events.close();
    expect(await ended(run)).toBe('succeeded');
    await waitFor(() => localLogs('talkative').length === 0, { what: 'the files of the worker to be removed' });

    expect(await download(`${run}/steps/talk/log/download`)).toEqual({ status: 200, text: 'first\nsecond\n' });
    expect(await download(`${run}/steps/talk/log/download`, { range: 'bytes=6-11' })).toEqual({
      status: 206,
      text: 'second',
    });
    expect(await send('GET', `${run}/steps/talk/log/lines?stream=both`)).toMatchObject({
      lines: expect.arrayContaining([expect.objectContaining({ text: 'oops', stream: 'stderr' })]) as unknown,
      totalLines: 3,
    });
    expect(await send('GET', `${run}/steps/talk/log/search?query=second`)).toMatchObject({ matchingLines: 1 });
    expect(await send('GET', `${run}/log`)).toMatchObject({ content: expect.stringContaining('run ended') as string });
    expect(await send('GET', `${run}/artifacts`)).toMatchObject({ items: [{ name: 'made.txt', size: 5 }] });
    expect((await download(`${run}/artifacts/download?path=made.txt`)).text).toBe('made\n');
    expect(await worker.stop({ signal: 'SIGTERM' })).toMatchObject({ code: 0 });
  });

  it('continue on another worker after theirs was killed, and the log marks what may be missing', async () => {
    const killed = await startWorker();
    const go = home.file('may-end');
    const run = await queue(
      'killed',
      `steps:\n  - name: talk\n    idempotent: true\n    run: 'echo before; until [ -e ${go} ]; do sleep 0.05; done; echo after'\n`,
    );
    await waitFor(async () => (await logOf(run)) === 'before', { what: 'the line to be sent', deadlineMs: 60_000 });
    await killed.stop({ signal: 'SIGKILL' });
    // The next worker is on another machine.
    rmSync(home.file('weir', 'logs'), { recursive: true });
    writeFileSync(go, '');
    await startWorker();

    expect(await ended(run)).toBe('succeeded');
    expect(await logOf(run)).toBe('before\nbefore\nafter');
    expect(await logOf(run, '?stream=stderr')).toContain('[The worker of this run was lost.');
    expect(await send('GET', `${run}/log`)).toMatchObject({
      content: expect.stringContaining('run claimed from a lost owner') as string,
    });
  });

  it('are sent through the server by a worker that has neither a database nor a key of the store', async () => {
    const site = temporaryFolder();
    const { token } = await send('POST', '/worker-tokens', { name: 'site', labels: { site: 'customer' } });
    const worker = await spawnProcess({
      command: process.execPath,
      args: [program, 'worker'],
      env: {
        HOME: site.path,
        WEIR_HOME: site.file('weir'),
        WEIR_STEP_ISOLATION: 'off',
        WEIR_SERVER_URL: new URL(weir.baseUrl).origin,
        WEIR_WORKER_TOKEN: String(token),
      },
    });
    workers.push(worker);
    await worker.waitForOutput('Weir executes queued runs of', 60_000);
    const run = await queue(
      'remote',
      `worker_selector: {site: customer}
artifacts: {enabled: true}
steps:
  - {id: talk, run: 'echo from the site; echo made > "$DAG_RUN_ARTIFACTS_DIR/made.txt"'}
  - {id: read, depends: talk, action: artifact.read, with: {path: made.txt}}
`,
    );

    expect(await ended(run)).toBe('succeeded');
    expect(await logOf(run)).toBe('from the site');
    expect((await download(`${run}/artifacts/download?path=made.txt`)).text).toBe('made\n');
    expect(localLogs('remote')).toEqual([]);
    expect(await worker.stop({ signal: 'SIGTERM' })).toMatchObject({ code: 0 });
    await site.remove();
  });

  it('leave nothing in the store when they are deleted', async () => {
    expect(await (await fetch(`${store.endpoint}/weir?list-type=2`)).text()).toContain('talkative');
    await send('DELETE', '/dag-runs/talkative/run');

    const keys = await (await fetch(`${store.endpoint}/weir?list-type=2`)).text();
    expect(keys).not.toContain('talkative');
  });
});
