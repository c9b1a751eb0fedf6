import {
  spawnProcess,
  startPostgres,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  type TestPostgres,
} from '@weir/test-kit';
import { runWeir } from '../support/weir-command';
import { setUpAdmin } from '../support/people';
import { program, startWeir, type Weir } from '../support/weir-server';

const home = temporaryFolder();
let postgres: TestPostgres;
let weir: Weir;
let admin: string;
let env: Readonly<Record<string, string>>;
const workers: SpawnedProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  const { url } = await postgres.createDatabase();
  env = { WEIR_DATABASE_URL: url, WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: 'off', WEIR_QUEUES: 'wide=8' };
  weir = await startWeir({ home, env, command: 'server' });
  admin = await setUpAdmin(weir);
}, 120_000);

afterAll(async () => {
  for (const worker of workers) await worker.stop({ signal: 'SIGKILL' });
  await weir.dispose();
  await postgres.stop();
});

async function startWorker(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const worker = await spawnProcess({
    command: process.execPath,
    args: [program, 'worker', ...args],
    env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env, ...more },
    deadlineMs: 300_000,
  });
  workers.push(worker);
  await waitFor(() => worker.stdout().includes('Weir executes queued runs'), {
    what: 'the worker to start',
    deadlineMs: 20_000,
  });
  return worker;
}

const send = async (method: string, path: string, body?: unknown) => {
  const answer = await weir.request(method, path, { token: admin, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.body as Record<string, unknown>;
};
const addDag = (name: string, spec: string) => send('POST', '/dags', { name, spec });
const statusOf = async (name: string, id = 'latest') => {
  const { dagRunDetails } = (await send('GET', `/dag-runs/${name}/${id}`)) as {
    dagRunDetails: { statusLabel: string };
  };
  return dagRunDetails.statusLabel;
};
const until = (name: string, status: string, id?: string) =>
  waitFor(async () => (await statusOf(name, id)) === status, { what: `${name} to be ${status}`, deadlineMs: 60_000 });
const explain = async (name: string) =>
  (await send('GET', `/dag-runs/${name}/latest/explain`)).causes as { kind: string; message: string }[];
const listWorkers = async () =>
  (await send('GET', '/workers')).workers as { id: string; labels: Record<string, string>; totalPollers: number }[];

describe('weir worker', () => {
  it('executes queued runs of its labels only; others wait and state at once what the nearest worker lacks', async () => {
    await addDag('plain', 'steps:\n  - run: "true"\n');
    await addDag(
      'labelled',
      'params: {kind: a100}\nworker_selector: {gpu: "${params.kind}"}\nsteps:\n  - run: "true"\n',
    );
    await send('POST', '/dags/plain/enqueue', {});
    await send('POST', '/dags/labelled/enqueue', {});
    expect((await explain('labelled')).at(-1)).toMatchObject({ kind: 'no_worker' });

    await startWorker(['--labels', 'region=eu', '--concurrency', '2']);
    await until('plain', 'succeeded');
    expect((await explain('labelled')).at(-1)).toMatchObject({
      kind: 'no_worker',
      selector: { gpu: 'a100' },
      nearest: { labels: { region: 'eu' }, missing: { gpu: 'a100' } },
    });

    await startWorker(['--labels', 'gpu=a100,region=eu']);
    await until('labelled', 'succeeded');
    expect(await listWorkers()).toMatchObject([
      { labels: { region: 'eu' }, totalPollers: 2, claimsQueued: true, version: expect.any(String) as string },
      { labels: { region: 'eu', gpu: 'a100' }, totalPollers: 50, heartbeatAgeMs: expect.any(Number) as number },
    ]);
  });

  it('shares the items of a parallel step with other workers, even when all are occupied by parents', async () => {
    await addDag('item', 'steps:\n  - run: "true"\n');
    await addDag(
      'many',
      `queue: wide\nsteps:
  - {name: all, action: dag.run, with: {dag: item, params: "N=\${ITEM}"}, parallel: {items: [a, b, c, d], max_concurrent: 4}}
  - {name: labelled, action: dag.run, with: {dag: item}, worker_selector: {gpu: a100}}
`,
    );
    const ids = ['many-1', 'many-2', 'many-3', 'many-4'];
    for (const dagRunId of ids) await send('POST', '/dags/many/enqueue', { dagRunId });

    for (const id of ids) await until('many', 'succeeded', id);
  });

  it('releases its run at SIGTERM, and another one continues it', async () => {
    const marker = home.file('may-end');
    await addDag(
      'slow',
      `worker_selector: {only: here}\nsteps:\n  - {name: wait, idempotent: true, run: 'until [ -e ${marker} ]; do sleep 0.1; done'}\n`,
    );
    const first = await startWorker(['--labels', 'only=here']);
    await send('POST', '/dags/slow/enqueue', {});
    await until('slow', 'running');
    await first.stop({ signal: 'SIGTERM' });
    await startWorker(['--labels', 'only=here']);
    await send('POST', '/dags', { name: 'marks', spec: `steps:\n  - run: touch ${marker}\n` });
    await send('POST', '/dags/marks/enqueue', {});

    await until('slow', 'succeeded');
  });

  it('lets its run end at SIGTERM within its time to drain', async () => {
    const marker = home.file('may-drain');
    await addDag(
      'drained',
      `worker_selector: {only: drain}\nsteps:\n  - {run: 'until [ -e ${marker} ]; do sleep 0.1; done'}\n`,
    );
    const draining = await startWorker(['--labels', 'only=drain'], { WEIR_WORKER_DRAIN_SECONDS: '60' });
    await send('POST', '/dags/drained/enqueue', {});
    await until('drained', 'running');
    const stopped = draining.stop({ signal: 'SIGTERM' });
    await send('POST', '/dags', { name: 'drains', spec: `steps:\n  - run: touch ${marker}\n` });
    await send('POST', '/dags/drains/enqueue', {});
    await stopped;

    expect(await statusOf('drained')).toBe('succeeded');
  });

  it('loses nothing when it is killed: another worker takes its run over', async () => {
    const marker = home.file('may-go-on');
    await addDag(
      'killed',
      `worker_selector: {only: kill}\nsteps:\n  - {idempotent: true, run: 'until [ -e ${marker} ]; do sleep 0.1; done'}\n`,
    );
    const killed = await startWorker(['--labels', 'only=kill']);
    await send('POST', '/dags/killed/enqueue', {});
    await until('killed', 'running');
    await killed.stop({ signal: 'SIGKILL' });
    await startWorker(['--labels', 'only=kill']);
    await send('POST', '/dags', { name: 'goes', spec: `steps:\n  - run: touch ${marker}\n` });
    await send('POST', '/dags/goes/enqueue', {});

    await until('killed', 'succeeded');
    const { attempts } = (await send('GET', '/dag-runs/killed/latest/attempts')) as { attempts: { cause: string }[] };
    expect(attempts.map(({ cause }) => cause)).toEqual(['start', 'take_over']);
  });

  it('ends with 1 on SQLite', async () => {
    const { code, stderr } = await runWeir(['worker'], { home: temporaryFolder() });

    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PostgreSQL') as string,
    });
  });
});
