import { AppError } from '@weir/foundation';
import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { areas, workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../access/bind';
import { areaOf } from '../access/scopes';
import { createTestApi, type TestApi } from '../testing/test-api';

const endpoints: readonly Endpoint[] = Object.values<Endpoint>(workflowContract).filter(
  ({ access }) => access !== 'public' && access !== 'login',
);

const countNames = ({ path }: Endpoint): number => pathParameters(path).length;

/** Takes every call that the guard lets in. Addresses with names in them would take those of others. */
const standIns = {
  bindRoutes: (bind: Bind) => {
    for (const endpoint of endpoints.toSorted((one, other) => countNames(one) - countNames(other))) {
      bind(endpoint, () => {
        throw new AppError('not_implemented', 'A stand-in.', { reason: 'stand_in' });
      });
    }
  },
};

let api: TestApi;
const keys = new Map<string, string>();

beforeAll(async () => {
  api = await createTestApi({ features: [standIns] });
  const limits = [...areas, ...endpoints.map(({ operationId }) => operationId)];
  for (const scope of limits) keys.set(scope, (await api.addApiKey({ role: 'admin', scopes: [scope] })).key);
});
afterAll(() => api.stop());

async function isLetIn({ method, path }: Endpoint, scope: string): Promise<boolean> {
  const address = fillPath(path, Object.fromEntries(pathParameters(path).map((name) => [name, 'x-1'])));
  const { status, body } = await api.send(`${method} ${address as `/${string}`}`, { as: keys.get(scope) ?? '' });
  if (body.reason === 'scope_missing') expect(status).toBe(403);
  return body.reason !== 'scope_missing';
}

describe.each(endpoints.map((one) => [one.operationId, one] as const))('%s', (operationId, endpoint) => {
  it('is open to a key of an admin that is limited to its area or to itself, and to no other', async () => {
    const area = areaOf(endpoint);
    for (const scope of areas) await expect(isLetIn(endpoint, scope)).resolves.toBe(scope === area);
    await expect(isLetIn(endpoint, operationId)).resolves.toBe(area !== undefined);
    const another = operationId === 'listDAGs' ? 'getCurrentUser' : 'listDAGs';
    await expect(isLetIn(endpoint, another)).resolves.toBe(false);
  });
});

describe('the area of an operation', () => {
  const idsOf = (area: ReturnType<typeof areaOf>): readonly string[] =>
    endpoints.filter((endpoint) => areaOf(endpoint) === area).map(({ operationId }) => operationId);

  it('does not exist for changes of users, keys, worker tokens and sessions, by which a key could extend its rights', () => {
    const changes = endpoints.filter(
      ({ tag, method }) => method !== 'GET' && ['auth', 'users', 'api-keys', 'worker-tokens'].includes(tag),
    );
    expect(changes.length).toBeGreaterThan(10);
    expect(idsOf(undefined)).toEqual(changes.map(({ operationId }) => operationId));
  });

  it('is read only for operations that change nothing', () => {
    const reading = endpoints.filter((endpoint) => areaOf(endpoint) === 'read');
    expect(reading.filter(({ method, audit }) => method !== 'GET' && audit !== 'no-change')).toEqual([]);
    expect(reading.map(({ operationId }) => operationId)).not.toContain('dequeueDAGRun');
  });

  it('separates starting from changing definitions and from managing', () => {
    expect(idsOf('run')).toEqual(expect.arrayContaining(['executeDAG', 'retryDAGRun', 'dequeueDAGRun']));
    expect(idsOf('write')).toEqual(expect.arrayContaining(['updateDAGSpec', 'deleteDAGRun', 'changeDAGRuns']));
    expect(idsOf('manage')).toEqual(expect.arrayContaining(['createSecret']));
  });
});

describe('a key with scopes', () => {
  it('is shown with them, is changed, and loses the limit by an empty list', async () => {
    const as = await api.createToken('admin');
    const created = await api.send('POST /api-keys', {
      as,
      body: { name: 'ci', role: 'operator', scopes: ['run', 'read'] },
    });
    const { id } = created.body.apiKey as { readonly id: string };
    const change = (scopes: readonly string[]) => api.send(`PATCH /api-keys/${id}`, { as, body: { scopes } });

    expect(created.body.apiKey).toMatchObject({ scopes: ['run', 'read'] });
    expect((await change(['executeDAG'])).body.apiKey).toMatchObject({ scopes: ['executeDAG'] });
    expect((await change([])).body.apiKey).not.toHaveProperty('scopes');
  });

  it.each(['everything', 'createAPIKey', 'updateUser'])('is not created for %s', async (scope) => {
    const as = await api.createToken('admin');
    const { status, body } = await api.send('POST /api-keys', {
      as,
      body: { name: scope, role: 'admin', scopes: [scope] },
    });
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'scope_unknown' });
  });
});
