import { readFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

const own = 'own-secret-of-the-run';
const other = 'secret-of-somebody-else';
const passwd = '/etc/passwd';

let weir: Weir;
let admin: string;
let token: string;
let workerId: string;
let otherToken: string;
let otherId: string;
let lease: { readonly runId: string; readonly token: number };
/** A run that the worker of the server executes, outside of what the token is for. */
let foreign: { readonly runId: string; readonly token: number };

beforeAll(async () => {
  weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: 'off' } });
  admin = await setUpAdmin(weir);
  for (const name of ['ops', 'sales']) await send('POST', '/workspaces', { name });
  await send('POST', '/secrets', { ref: 'own', providerType: 'dagu-managed', value: own, workspace: 'ops' });
  await send('POST', '/secrets', { ref: 'other', providerType: 'dagu-managed', value: other, workspace: 'ops' });
  await send('POST', '/secrets', { ref: 'own', providerType: 'dagu-managed', value: other, workspace: 'sales' });
  await send('POST', '/dags', {
    name: 'held',
    spec: `worker_selector: {site: a}
labels: {workspace: ops}
artifacts: {enabled: true}
secrets: [{name: KEY, ref: own}]
steps:
  - {id: one, run: echo one}
`,
  });
  await send('POST', '/dags', {
    name: 'foreign',
    spec: 'worker_selector: {site: b}\nlabels: {workspace: sales}\nsteps:\n  - {id: one, run: echo one}\n',
  });
  await send('POST', '/dags', { name: 'sold', spec: 'labels: {workspace: sales}\nsteps:\n  - run: echo sold\n' });
  [token, workerId] = await signIn('site-a', { site: 'a' });
  [otherToken, otherId] = await signIn('site-b', { site: 'b' });
  lease = await claimed('held', { token, workerId });
  foreign = await claimed('foreign', { token: otherToken, workerId: otherId });
}, 120_000);

afterAll(() => weir.dispose());

const send = async (method: string, address: string, body?: unknown) => {
  const answer = await weir.request(method, address, { token: admin, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${address}: ${JSON.stringify(answer)}`);
  return answer.body as Record<string, unknown>;
};

const self = { host: 'site', pid: 7, startedAt: new Date().toISOString(), maxRuns: 5, version: '0.0.0', claims: true };

async function signIn(name: string, labels: Readonly<Record<string, string>>): Promise<[string, string]> {
  const created = (await send('POST', '/worker-tokens', { name, labels })).token as string;
  const { body } = await call('hello', { protocol: 1, self, labels: {} }, { token: created, workerId: '' });
  return [created, (body as { readonly workerId: string }).workerId];
}

interface Sender {
  readonly token?: string;
  readonly workerId?: string;
}

async function call(name: string, request: unknown, sender: Sender = {}) {
  const as = { token, workerId, ...sender };
  const headers = as.workerId === '' ? {} : { 'weir-worker-id': as.workerId };
  const { status, body } = await weir.request('POST', `/worker/calls/${name}`, {
    token: as.token,
    body: request,
    headers,
  });
  return { status, body };
}

async function claimed(name: string, sender: Sender): Promise<typeof lease> {
  await send('POST', `/dags/${name}/enqueue`, { dagRunId: `${name}-1` });
  const found = await waitFor(
    async () => (await call('claim', { from: 'queue' }, sender)).body as typeof lease | null | undefined,
    { what: `${name} to be claimed` },
  );
  return { runId: found.runId, token: found.token };
}

const refused = { status: 422, body: { reason: 'not_of_this_worker' } };
const lost = { status: 422, body: { reason: 'run_lost' } };

describe('a worker token', () => {
  it('is asked for before anything of a call is read', async () => {
    const asUser = await call('claim', { from: 'queue' }, { token: admin });
    const asNobody = await weir.request('POST', '/worker/calls/claim', { rawBody: 'no JSON' });
    const wrong = await call('claim', { from: 'queue' }, { token: `${token.slice(0, -4)}aaaa` });
    const withoutHello = await call('claim', { from: 'queue' }, { workerId: '' });

    expect([asUser, asNobody, wrong, withoutHello].map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(JSON.stringify([asUser, wrong])).not.toContain(token.slice(0, 20));
  });

  it('does not speak for the workers of other tokens', async () => {
    await expect(call('listClaims', null, { workerId: otherId })).resolves.toMatchObject({ status: 401 });
    await expect(call('leave', null, { workerId: otherId })).resolves.toMatchObject({ status: 401 });
  });

  it('has the labels that it was made with, whatever the worker says', async () => {
    await expect(call('hello', { protocol: 1, self, labels: { site: 'b' } })).resolves.toMatchObject({
      status: 422,
      body: { reason: 'worker_labels_differ' },
    });
    await send('POST', '/dags/foreign/enqueue', { dagRunId: 'foreign-2' });
    await expect(call('claim', { from: 'queue' })).resolves.toMatchObject({ status: 200, body: null });
    await expect(call('claim', { from: 'expired' })).resolves.toMatchObject({ status: 200, body: null });
  });

  it.each<[string, () => [string, unknown]]>([
    ['reads', () => ['listAllSteps', { id: foreign.runId }]],
    ['reads the outputs of', () => ['readOutputs', { id: foreign.runId, scope: '' }]],
    ['reads what is remembered of', () => ['readMemos', { id: foreign.runId, scope: '' }]],
    ['lists the children of', () => ['listChildren', { id: foreign.runId }]],
    ['waits for', () => ['awaitRun', { id: foreign.runId, statuses: ['succeeded'] }]],
    ['stops', () => ['stopRun', { id: foreign.runId }]],
    ['retries', () => ['retryChild', { id: foreign.runId, isOwned: true }]],
    ['wakes', () => ['childEnded', { id: foreign.runId, step: { scope: '', position: 0 } }]],
    [
      'starts a run in the name of',
      () => ['startChild', aChild({ caller: { dagName: 'foreign', dagRunId: 'foreign-1' } })],
    ],
    ['reads the state of', () => ['getState', { keyspace: { scope: 'dag', namespace: 'foreign' }, key: 'k' }]],
    [
      'lists the state of',
      () => ['listState', { keyspace: { scope: 'global@sales', namespace: '' }, prefix: '', limit: 9 }],
    ],
  ])('never %s a run of another worker', async (_, attack) => {
    await expect(call(...attack())).resolves.toMatchObject(refused);
  });

  it.each<[string, () => [string, unknown]]>([
    ['lists files of', () => ['listFiles', { lease: foreign, folder: 'logs' }]],
    ['removes a file of', () => ['removeFile', { lease: foreign, folder: 'logs', path: 'run.log' }]],
    [
      'sets state as',
      () => ['setState', { lease: foreign, keyspace: { scope: 'dag', namespace: 'held' }, key: 'k', value: 1 }],
    ],
    ['adds steps to', () => ['commit', { lease: foreign, event: { kind: 'steps_added', steps: [] } }]],
  ])('never %s a run of another worker, with its lease', async (_, attack) => {
    await expect(call(...attack())).resolves.toMatchObject(lost);
  });

  it('never changes a run of another worker, nor one of its own with an old lease', async () => {
    const ended = { kind: 'ended', patches: [], status: 'succeeded', finishedAt: null, error: null };
    const older = { ...lease, token: lease.token - 1 };

    for (const wrong of [foreign, older]) {
      await expect(call('commit', { lease: wrong, event: ended })).resolves.toEqual({ status: 200, body: false });
      await expect(call('failClaim', { lease: wrong, retryAt: self.startedAt })).resolves.toEqual({
        status: 200,
        body: false,
      });
    }
    await expect(call('findById', { id: foreign.runId })).resolves.toEqual({ status: 200, body: null });
    await expect(call('find', { dagName: 'foreign', dagRunId: 'foreign-1' })).resolves.toEqual({
      status: 200,
      body: null,
    });
  });

  it('reads the secrets that its runs name, in their workspace, and no others', async () => {
    const read = async (ref: string, workspace?: string) => (await call('readStoredSecret', { ref, workspace })).body;

    expect(await read('own', 'ops')).toEqual({ value: own });
    for (const attack of [
      await read('other', 'ops'),
      await read('own', 'sales'),
      await read('own'),
      await read('own@1', 'ops'),
    ]) {
      expect(attack).toHaveProperty('problem');
    }
    const profile = await call('readProfileSecret', { profileId: 'any', key: 'any' });
    expect(profile.body).toHaveProperty('problem');
  });

  it('calls no DAG of another workspace, none by a path, and none that the text of its run does not have', async () => {
    const reasons = async (name: string, request: unknown) =>
      ((await call(name, request)).body as { reason?: string }).reason;

    expect(await reasons('findDag', { name: 'sold' })).toBe('dag_of_other_workspace');
    expect(await reasons('startChild', aChild({ dag: { name: 'sold' } }))).toBe('dag_of_other_workspace');
    for (const path of [passwd, '../auth/x.yaml', './held.yaml']) {
      expect(await reasons('findDag', { name: path })).toBe('dag_path_refused');
      expect(await reasons('startChild', aChild({ dag: { name: path } }))).toBe('dag_path_refused');
    }
    expect(await reasons('startChild', aChild({ dag: { local: 'foreign' } }))).toBe('not_of_this_worker');
  });

  it('keeps no run for itself that is for other labels', async () => {
    const attack = aChild({ workerSelector: '{"site":"b"}', isOwned: true });
    await expect(call('startChild', attack)).resolves.toMatchObject(refused);
  });

  it('names no file outside of the folders of its run', async () => {
    const step = { ...aStep, stdoutFile: passwd, stderrFile: passwd };
    await expect(call('commit', { lease, event: { kind: 'steps_added', steps: [step] } })).resolves.toMatchObject(
      refused,
    );

    for (const [folder, path] of [
      ['logs', '../../../auth/setup_token'],
      ['logs', '/etc/cron.d/x.log'],
      ['logs', '../x.log'],
      ['logs', 'step.outputs'],
      ['logs', 'run.sh'],
      ['artifacts', '../work/x'],
      ['artifacts', '..'],
    ]) {
      expect((await sendFile('PUT', { folder, path })).status).toBe(422);
      expect(String((await sendFile('GET', { folder, path })).body)).not.toContain('root');
    }
    expect(await readFile(passwd, 'utf8')).not.toContain('written');
    expect((await sendFile('PUT', { run: foreign.runId, token: foreign.token })).status).toBe(422);
    expect((await sendFile('PUT', {})).status).toBe(200);
    expect((await sendFile('GET', {})).body).toBe('written');
  });

  it('is told what is wrong with a call, without its values', async () => {
    const unknown = await call('steal', null);
    const extra = await call('claim', { from: 'queue', owner: otherId });
    const bad = await call('commit', { lease, event: { kind: 'ended', status: 'hunter22' } });

    expect([unknown.status, extra.status, bad.status]).toEqual([404, 400, 400]);
    expect(JSON.stringify(bad.body)).not.toContain('hunter22');
  });

  it('answers a second try of an end that it has stored already, and of nothing else', async () => {
    const end = { kind: 'ended', patches: [], status: 'failed', finishedAt: self.startedAt, error: 'given up' };

    await expect(call('commit', { lease, event: end })).resolves.toEqual({ status: 200, body: true });
    await expect(call('commit', { lease, event: end })).resolves.toEqual({ status: 200, body: true });
    await expect(call('commit', { lease, event: { ...end, status: 'succeeded' } })).resolves.toEqual({
      status: 200,
      body: false,
    });
  });

  it('is worth nothing once it is revoked', async () => {
    await send('DELETE', '/worker-tokens/site-b');
    await expect(call('claim', { from: 'queue' }, { token: otherToken, workerId: otherId })).resolves.toMatchObject({
      status: 401,
    });
  });
});

const aStep = {
  scope: 'loop/0',
  position: 0,
  name: 'one',
  status: 'not_started',
  startedAt: null,
  finishedAt: null,
  exitCode: null,
  error: null,
  retryCount: 0,
  doneCount: 0,
  pid: null,
  processStartedAt: null,
  iteration: 0,
  decisions: null,
  build: null,
  modelUse: null,
};

function aChild(values: object) {
  return {
    dag: { name: 'held' },
    caller: { dagName: 'held', dagRunId: 'held-1' },
    params: '',
    dagRunId: 'attacked',
    isOwned: false,
    ...values,
  };
}

function sendFile(method: string, values: Readonly<Record<string, unknown>>) {
  const given = { run: lease.runId, token: lease.token, folder: 'artifacts', path: 'kept.txt', from: 0, ...values };
  const query = new URLSearchParams(
    Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const headers = { 'weir-worker-id': workerId, 'content-type': 'application/octet-stream' };
  const body = method === 'PUT' ? { rawBody: 'written' } : {};
  return weir.request(method, `/worker/files?${query.toString()}`, { token, headers, ...body });
}
