import { randomBytes } from 'node:crypto';
import {
  spawnProcess,
  startPostgres,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
  type TestDatabase,
  type TestPostgres,
} from '@weir/test-kit';
import { Client } from 'pg';
import { setUpAdmin } from '../support/people';
import { runWeir } from '../support/weir-command';
import { program, startWeir, type Weir } from '../support/weir-server';

const home = temporaryFolder();
// Roles belong to the whole server, which other specs use, too.
const unique = randomBytes(6).toString('hex');
const owner = `owner_${unique}`;
const gpu = `gpu-${unique}`;
const plain = `plain-${unique}`;
const secretValue = 'hunter22-of-operations';
let postgres: TestPostgres;
let superuser: Client;
let weir: Weir;
let admin: string;
let env: Readonly<Record<string, string>>;
let created: TestDatabase;
const tokens = new Map<string, string>();
const workers: SpawnedProcess[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  created = await postgres.createDatabase();
  superuser = new Client({ connectionString: postgres.url });
  await superuser.connect();
  await superuser.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'servers'`);
  await superuser.query(`ALTER DATABASE "${created.name}" OWNER TO ${owner}`);
  const url = new URL(created.url);
  url.username = owner;
  url.password = 'servers';
  env = { WEIR_DATABASE_URL: url.href, WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: 'off' };
  weir = await startWeir({ home, env, command: 'server' });
  admin = await setUpAdmin(weir);
  for (const [name, labels] of [
    [gpu, 'gpu=a100'],
    [plain, ''],
  ] as const) {
    const { code, stdout, stderr } = await runWeir(['worker-token', 'create', name, '--labels', labels], { home, env });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('stored nowhere') as string });
    tokens.set(name, stdout.trim());
  }
  for (const name of [gpu, plain]) await startWorker({ WEIR_DATABASE_URL: tokens.get(name) ?? '' });
}, 120_000);

afterAll(async () => {
  for (const worker of workers) await worker.stop({ signal: 'SIGKILL' });
  for (const name of [gpu, plain]) await runWeir(['worker-token', 'revoke', name], { home, env });
  await weir.dispose();
  await created.drop();
  await superuser.query(`DROP ROLE ${owner}`);
  await superuser.end();
  await postgres.stop();
});

async function startWorker(more: Readonly<Record<string, string>>): Promise<SpawnedProcess> {
  const worker = await spawnProcess({
    command: process.execPath,
    args: [program, 'worker'],
    env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...env, ...more },
    deadlineMs: 300_000,
  });
  workers.push(worker);
  await waitFor(() => worker.stdout().includes('Weir executes queued runs') || !worker.isRunning(), {
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
const enqueue = (name: string, dagRunId: string) => send('POST', `/dags/${name}/enqueue`, { dagRunId });
const until = (name: string, status: string) =>
  waitFor(
    async () => {
      const { dagRunDetails } = (await send('GET', `/dag-runs/${name}/latest`)) as {
        dagRunDetails: { statusLabel: string };
      };
      if (dagRunDetails.statusLabel === 'failed' && status !== 'failed') throw new Error(JSON.stringify(dagRunDetails));
      return dagRunDetails.statusLabel === status;
    },
    { what: `${name} to be ${status}`, deadlineMs: 60_000 },
  );

/** What the token of this worker can do with its database, without the program. */
async function asWorker<T>(name: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: tokens.get(name) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
const refusal = (name: string, text: string): Promise<string> =>
  asWorker(name, (client) =>
    client.query(text).then(
      ({ rowCount }) => `${rowCount} rows`,
      (error: unknown) => String(error),
    ),
  );

describe('a worker with a token', () => {
  it('executes all runs that it claims, and is listed under the name of the token', async () => {
    await send('POST', '/workspaces', { name: 'ops' });
    await send('POST', '/secrets', {
      ref: 'pay/key',
      providerType: 'dagu-managed',
      workspace: 'ops',
      value: secretValue,
    });
    await addDag('item', 'labels: [workspace=ops]\nsteps:\n  - run: "true"\n');
    await addDag(
      'wide',
      `labels: [workspace=ops]
secrets: [{name: KEY, ref: pay/key}]
handler_on: {exit: {run: echo over}}
steps:
  - {id: reads, run: '[ "$KEY" = ${secretValue} ] && echo n=7', output: N}
  - {id: flaky, depends: reads, run: '[ -e ${home.file('tried')} ] || { touch ${home.file('tried')}; exit 1; }', retry_policy: {limit: 2, interval_sec: 0}}
  - {id: all, depends: flaky, action: dag.run, with: {dag: item, params: "N=\${ITEM}"}, parallel: {items: [a, b, c]}}
  - {id: one, depends: all, action: dag.run, with: {dag: item}}
  - {id: other, depends: one, action: dag.run, with: {dag: item}, worker_selector: {gpu: a100}}
  - {id: keeps, depends: other, action: state.set, with: {key: seen, value: yes}}
  - {id: asks, depends: keeps, run: echo approved, approval: {}}
`,
    );
    await enqueue('wide', 'first');
    await until('wide', 'waiting');
    await send('POST', '/dag-runs/wide/first/steps/asks/approve', {});
    await until('wide', 'succeeded');

    const { workers: listed } = (await send('GET', '/workers')) as { workers: { databaseUser: string }[] };
    expect(listed.map(({ databaseUser }) => databaseUser).sort()).toEqual([gpu, plain]);
    for (const worker of workers) expect(worker.stderr() + worker.stdout()).not.toMatch(/permission denied|row-level/);
  });

  it('is retried, stopped and given up like any other worker', async () => {
    await addDag('fails', `steps:\n  - run: '[ -e ${home.file('healed')} ]'\n`);
    await enqueue('fails', 'once');
    await until('fails', 'failed');
    await addDag('endless', 'worker_selector: {gpu: a100}\nsteps:\n  - run: sleep 600\n');
    await enqueue('endless', 'stops');
    await until('endless', 'running');
    await send('POST', '/dag-runs/endless/stops/stop', {});
    await until('endless', 'aborted');
    await send('POST', '/dags', { name: 'heals', spec: `steps:\n  - run: touch ${home.file('healed')}\n` });
    await enqueue('heals', 'first');
    await until('heals', 'succeeded');
    await send('POST', '/dag-runs/fails/once/retry', { dagRunId: 'once' });
    await until('fails', 'succeeded');
  });

  it('has the labels of the token, and is refused with others', async () => {
    const differs = await startWorker({ WEIR_DATABASE_URL: tokens.get(gpu) ?? '', WEIR_WORKER_LABELS: 'gpu=h100' });
    expect((await differs.exited).code).toBe(1);
    expect(differs.stderr()).toContain('is for the labels');

    const { code, stderr } = await runWeir(['server'], {
      home,
      env: { ...env, WEIR_DATABASE_URL: tokens.get(gpu) ?? '' },
    });
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('for "weir worker" only') as string,
    });
  });
});

describe('a holder of the token of a worker', () => {
  it.each([
    ...[
      'User',
      'SecondFactor',
      'ApiKey',
      'ChatClient',
      'ClientConnection',
      'BrowserSession',
      'AuditEntry',
      'AuditPending',
      'AuditChain',
      'Webhook',
    ],
    ...[
      'WebhookDelivery',
      'EventSubscription',
      'EventDelivery',
      'EventLogEntry',
      'OutboxEvent',
      'DagRevision',
      'Backfill',
    ],
    ...['SchedulerState', 'DagFlag', 'Workspace', 'RunText', 'RunTextDue'],
  ])('cannot read %s', async (table) => {
    expect(await refusal(gpu, `SELECT * FROM "${table}"`)).toContain('permission denied');
  });

  it.each([
    ['add a user', 'INSERT INTO "User" ("id") VALUES (1)'],
    ['change the spec of a run', `UPDATE "DagRun" SET "specText" = 'x'`],
    ['move a run to another workspace', `UPDATE "DagRun" SET "workspace" = 'x'`],
    ['delete a run', 'DELETE FROM "DagRun"'],
    ['change a secret', `UPDATE "StoredSecretVersion" SET "text" = 'x'`],
    ['delete entries of the event log', 'DELETE FROM "EventLogEntry"'],
    ['raise the limit of a queue', 'UPDATE "Queue" SET "maxConcurrency" = 9'],
    ['create a table', 'CREATE TABLE mine (id int)'],
    ['become a server', `SET ROLE ${owner}`],
    ['read what others ask the database', `SELECT * FROM pg_authid`],
    [
      'say that it is another worker',
      `INSERT INTO "Runner" ("id", "host", "pid", "startedAt", "heartbeatAt", "databaseUser") VALUES ('x', 'h', 1, now(), now(), '${plain}')`,
    ],
    [
      'say that it has other labels',
      `INSERT INTO "Runner" ("id", "host", "pid", "startedAt", "heartbeatAt", "labels", "databaseUser") VALUES ('x', 'h', 1, now(), now(), '{"gpu":"h100"}', current_user)`,
    ],
  ])('cannot %s', async (_, statement) => {
    expect(await refusal(gpu, statement)).toMatch(/permission denied|row-level security/);
  });

  it('neither sees nor changes runs that require other labels', async () => {
    await addDag('guarded', 'worker_selector: {gpu: a100}\nsteps:\n  - run: "true"\n');
    await enqueue('guarded', 'first');
    await until('guarded', 'succeeded');
    const ofGuarded = `"DagRun" WHERE "dagName" = 'guarded'`;

    expect(await refusal(gpu, `SELECT 1 FROM ${ofGuarded}`)).toBe('1 rows');
    expect(await refusal(plain, `SELECT 1 FROM ${ofGuarded}`)).toBe('0 rows');
    expect(await refusal(plain, `UPDATE "DagRun" SET "status" = 'queued' WHERE "dagName" = 'guarded'`)).toBe('0 rows');
    const { rows } = await asWorker(plain, (client) =>
      client.query(
        `SELECT DISTINCT r."workerSelector" AS "selector" FROM "DagRunStep" s JOIN "DagRun" r ON r."id" = s."runId"`,
      ),
    );
    // Of those with labels only the child run of a run that it has executed.
    expect(rows.map(({ selector }: { selector: string }) => selector).sort()).toEqual(['{"gpu":"a100"}', '{}']);
    expect(await refusal(plain, `SELECT 1 FROM "DagRunStep" s WHERE s."runId" = (SELECT "id" FROM ${ofGuarded})`)).toBe(
      '0 rows',
    );
    expect(await refusal(plain, 'DELETE FROM "Runner"')).toBe('1 rows');
  });

  it('reads secrets only of workspaces with a run that it holds', async () => {
    const count = (name: string): Promise<string> => refusal(name, 'SELECT "text" FROM "StoredSecretVersion"');
    expect([await count(gpu), await count(plain)]).toEqual(['0 rows', '0 rows']);

    const marker = home.file('may-end');
    await addDag(
      'holds',
      `labels: [workspace=ops]\nworker_selector: {gpu: a100}\nsteps:\n  - run: 'until [ -e ${marker} ]; do sleep 0.1; done'\n`,
    );
    await enqueue('holds', 'first');
    await until('holds', 'running');
    expect([await count(gpu), await count(plain)]).toEqual(['1 rows', '0 rows']);

    await addDag('marks', `steps:\n  - run: touch ${marker}\n`);
    await enqueue('marks', 'first');
    await until('holds', 'succeeded');
    expect(await count(gpu)).toBe('0 rows');
  });
});

describe('weir worker-token', () => {
  it('lists tokens without their secrets, and refuses taken and invalid names', async () => {
    const { stdout } = await runWeir(['worker-token', 'list', '--format', 'json'], { home, env });
    expect(JSON.parse(stdout)).toEqual({
      tokens: [
        { kind: 'database', name: gpu, labels: { gpu: 'a100' } },
        { kind: 'database', name: plain, labels: {} },
      ],
    });
    const taken = await runWeir(['worker-token', 'create', gpu], { home, env });
    const invalid = await runWeir(['worker-token', 'create', 'No Name'], { home, env });
    expect([taken.code, invalid.code]).toEqual([1, 1]);
    expect(taken.stderr).toContain('already has a role');
    expect(invalid.stderr).toContain('is no name of a worker token');
  });

  it('gives tokens the rights of a new version when a server starts', async () => {
    await superuser.query(
      `COMMENT ON ROLE "${gpu}" IS '${JSON.stringify({ weirWorker: { database: created.name, labels: { gpu: 'a100' }, rights: 'of another version' } })}'`,
    );
    const tables = new Client({ connectionString: env.WEIR_DATABASE_URL });
    await tables.connect();
    await tables.query(`REVOKE SELECT ON "Queue" FROM "${gpu}"`);
    await tables.end();
    expect(await refusal(gpu, 'SELECT 1 FROM "Queue"')).toContain('permission denied');
    const second = await startWeir({ home, env, command: 'server' });

    expect(await refusal(gpu, 'SELECT 1 FROM "Queue"')).toMatch(/rows$/);
    await second.process.stop();
  });

  it('revokes a token: the worker loses its connections and gets no others', async () => {
    const name = `gone-${unique}`;
    const { stdout } = await runWeir(['worker-token', 'create', name], { home, env });
    tokens.set(name, stdout.trim());
    const ended = await asWorker(name, async (client) => {
      const end = new Promise((resolve) => client.once('end', () => resolve('ended')));
      expect((await runWeir(['worker-token', 'revoke', name], { home, env })).code).toBe(0);
      return end;
    });

    expect(ended).toBe('ended');
    await expect(asWorker(name, (client) => client.query('SELECT 1'))).rejects.toThrow(/authentication|does not exist/);
    expect((await runWeir(['worker-token', 'revoke', name], { home, env })).stderr).toContain(
      'There is no worker token',
    );
  });
});
