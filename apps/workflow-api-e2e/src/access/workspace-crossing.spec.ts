import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { openEvents, waitFor } from '@weir/test-kit';
import { workflowContract } from '@weir/workflow-contract';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type Weir } from '../support/weir-server';

/** In everything that belongs to the workspace of others: names, texts, parameters, outputs of steps. */
const mark = 'ledgerofbank';
/** In what belongs to the workspace of the manager. */
const own = 'tillofshop';
const spec = `labels: { workspace: bank }\ndescription: ${mark}\nsteps:\n  - name: ${mark}\n    run: echo ${mark}\n`;

const endpoints = Object.values<Endpoint>(workflowContract).filter(({ access }) => access !== 'public');
const reading = endpoints.filter(
  ({ method, operationId, success }) =>
    method === 'GET' && operationId !== 'dequeueDAGRun' && success.content?.kind !== 'events',
);
const changing = endpoints.filter(
  ({ path, operationId, method }) =>
    (method !== 'GET' || operationId === 'dequeueDAGRun') && /\{(fileName|name|dagRunId)\}/.test(path),
);

let weir: Weir;
let admin: string;
/** A manager of another workspace. */
let stranger: string;
let secretId: string;

beforeAll(async () => {
  weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  admin = await setUpAdmin(weir);
  const post = async (address: string, body: object) =>
    (await weir.request('POST', address, { token: admin, body })).body;
  for (const name of ['shop', 'bank']) await post('/workspaces', { name });
  const grants = [{ workspace: 'shop', role: 'manager' }];
  const made = await post('/api-keys', { name: 'k', role: 'viewer', workspaceAccess: { all: false, grants } });
  stranger = (made as { readonly key: string }).key;
  await post('/dags', { name: mark, spec });
  await post(`/dags/${mark}/start`, { dagRunId: mark });
  await endOfRun(weir, admin, mark, mark);
  await post('/dags', { name: own, spec: spec.replace('bank', 'shop').replaceAll(mark, own) });
  await post(`/dags/${own}/start`, { dagRunId: own });
  await endOfRun(weir, admin, own, own);
  await post(`/dag-runs/${own}/${own}/retry`, { dagRunId: own, stepName: own });
  await post('/docs?workspace=bank', { id: mark, content: mark });
  const secret = await post('/secrets', { ref: mark, workspace: 'bank', providerType: 'dagu-managed' });
  secretId = (secret as { readonly id?: string }).id ?? '';
}, 90_000);
afterAll(() => weir.dispose());

function addressOf({ path }: Endpoint): string {
  const valueOf = (name: string): string => (name === 'revision' ? '1' : name === 'secretId' ? secretId : mark);
  const query = new URLSearchParams({ q: mark, query: mark, path: mark, remoteNode: 'local' });
  return `${fillPath(path, Object.fromEntries(pathParameters(path).map((name) => [name, valueOf(name)])))}?${query.toString()}`;
}

it.each(reading.map((one) => [one.operationId, one] as const))(
  '%s shows nothing of another workspace',
  async (_, one) => {
    const { body, status } = await weir.request('GET', addressOf(one), { token: stranger });
    // A refusal may repeat what was asked for.
    if (status < 400) expect(JSON.stringify(body)).not.toContain(mark);
  },
);

it.each(['/event-logs', '/audit', `/search/dags?q=${own}`, `/search/dag-runs?q=${own}`])(
  'GET %s shows a manager of one workspace what belongs to it, and nothing of others or of none',
  async (address) => {
    const entries = async (token: string) => {
      const { body } = await weir.request('GET', address, { token });
      const { entries: listed = [], results = [] } = body as Readonly<Record<string, readonly object[] | undefined>>;
      return [...listed, ...results];
    };
    // Events are stored a moment after they happened.
    await waitFor(async () => JSON.stringify(await entries(stranger)).includes(own), {
      what: 'what belongs to the shop',
    });

    expect((await entries(stranger)).filter((entry) => !JSON.stringify(entry).includes('shop'))).toEqual([]);
    expect(JSON.stringify(await entries(admin))).toContain(own);
  },
);

it('shows a manager of one workspace who changed its runs', async () => {
  const { body } = await weir.request('GET', '/audit?category=dag_run', { token: stranger });
  const { entries } = body as { readonly entries: readonly { readonly action: string }[] };

  expect(entries.map(({ action }) => action)).toEqual(['dag_run_retry', 'dag_run_execute']);
});

it('refuses the logs of a workspace that is not visible, and the chain of the audit log', async () => {
  const statusOf = async (address: string) => (await weir.request('GET', address, { token: stranger })).status;

  await expect(statusOf('/event-logs?workspace=bank')).resolves.toBe(404);
  await expect(statusOf('/event-logs?workspaceScope=default')).resolves.toBe(403);
  await expect(statusOf('/audit/export')).resolves.toBe(403);
  await expect(statusOf('/audit/verification')).resolves.toBe(403);
  expect((await weir.request('GET', '/audit?workspace=bank', { token: stranger })).body).toEqual({
    entries: [],
    total: 0,
  });
});

it('is shown to users with access', async () => {
  const answers = await Promise.all(reading.map((one) => weir.request('GET', addressOf(one), { token: admin })));
  const shown = answers.filter(({ status, body }) => status === 200 && JSON.stringify(body).includes(mark));
  expect(shown.length).toBeGreaterThan(15);
});

it.each(changing.map((one) => [one.operationId, one] as const))(
  '%s changes nothing of another workspace',
  async (_, one) => {
    const body = {
      spec: 'steps: [echo x]',
      dagRunId: mark,
      newFileName: 'mine',
      suspend: true,
      status: 1,
      enabled: true,
    };
    const answer = await weir.request(one.method, addressOf(one), {
      token: stranger,
      ...(one.method === 'GET' ? {} : { body }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  },
);

it('is left unchanged by all of these', async () => {
  const dag = await weir.request('GET', `/dags/${mark}/spec`, { token: admin });
  const run = await weir.request('GET', `/dag-runs/${mark}/${mark}`, { token: admin });

  expect(dag.body).toMatchObject({ spec });
  expect(run.body).toMatchObject({ dagRunDetails: { statusLabel: 'succeeded' } });
});

it.each([`dag:${mark}`, `dagrun:${mark}/${mark}`, 'dagslist:page=1', 'dagruns:limit=50', 'queues:'])(
  'sends none of its data as the topic %s',
  async (topic) => {
    const headers = { authorization: `Bearer ${stranger}` };
    const stream = await openEvents(`${weir.baseUrl}/events/stream?topic=${encodeURIComponent(topic)}`, headers);
    const first = await stream.next();
    const { subscribed = [] } = first.data as { readonly subscribed?: readonly string[] };
    const state = subscribed.length === 0 ? undefined : await stream.next();
    await stream.close();

    expect(JSON.stringify(state?.data ?? '')).not.toContain(mark);
  },
);

describe('GET /metrics', () => {
  it('returns 403 to users who do not see all workspaces, because it names their DAGs', async () => {
    const { status, body } = await weir.request('GET', '/metrics', { token: stranger });
    expect({ status, reason: (body as { readonly reason?: string }).reason }).toEqual({
      status: 403,
      reason: 'role_missing',
    });
  });
});
