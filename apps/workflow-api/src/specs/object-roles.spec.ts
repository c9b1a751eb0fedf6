import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { objectRoles, roles, workflowContract } from '@weir/workflow-contract';
import { createInMemorySecretRepository } from '../features/secrets';
import { createTestWorkflow, type TestWorkflow } from '../testing/workflow-api';
import { bodies, queries, unknownPathValue } from '../testing/valid-requests';

// Of child runs there is none: they are addressed by the same code as their root run.
const endpoints = Object.values<Endpoint>(workflowContract).filter(
  ({ operationId, path }) => objectRoles[operationId] !== undefined && !path.includes('{subDAGRunId}'),
);

const at = new Date(0);
const aSecret = {
  id: 'x-1',
  workspace: undefined,
  ref: 'x-1',
  description: '',
  currentVersion: 0,
  isDisabled: false,
  createdAt: at,
  updatedAt: at,
  lastResolvedAt: undefined,
  lastRotatedAt: undefined,
};

let server: TestWorkflow;

beforeAll(async () => {
  server = await createTestWorkflow({ platform: { secrets: createInMemorySecretRepository([aSecret]) } });
  const as = await server.createKey('admin');
  const spec = 'steps:\n  - name: x-1\n    run: "true"\n';
  await server.api.send('POST /dags', { as, body: { name: 'x-1', spec } });
  await server.api.send('POST /dags/x-1/start', { as, body: { dagRunId: 'x-1' } });
  await server.api.send('POST /docs', { as, body: { id: 'x-1', content: '' } });
});
afterAll(() => server.stop());

it('lists operations of the contract only', () => {
  const known = new Set(Object.values<Endpoint>(workflowContract).map(({ operationId }) => operationId));
  expect(Object.keys(objectRoles).filter((operationId) => !known.has(operationId))).toEqual([]);
});

it.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  '%s returns 403 for the role below the one that it needs',
  async (operationId, { method, path, body }) => {
    const needed = objectRoles[operationId] ?? 'admin';
    const as = await server.createKey(roles[roles.indexOf(needed) + 1] ?? 'viewer');
    const address = fillPath(
      path,
      Object.fromEntries(pathParameters(path).map((name) => [name, unknownPathValue(name)])),
    );
    const answer = await server.api.send(
      `${method} ${address}?${queries[operationId] ?? ''}` as `${string} /${string}`,
      {
        as,
        ...(body === undefined ? {} : { body: bodies[operationId] ?? {} }),
      },
    );

    expect(answer).toMatchObject({ status: 403, body: { reason: 'role_missing' } });
    expect(answer.body.message).toContain(needed);
  },
);
