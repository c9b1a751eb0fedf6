import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { changesRights, takesRemoteNode, workflowContract } from '@weir/workflow-contract';
import { bodies, queries, unknownPathValue } from '../testing/valid-requests';
import { createTestWorkflow, type TestWorkflow } from '../testing/workflow-api';

const endpoints: readonly Endpoint[] = Object.values(workflowContract);

let server: TestWorkflow;
let admin: string;

beforeAll(async () => {
  server = await createTestWorkflow();
  admin = await server.createKey('admin');
});
afterAll(() => server.stop());

function send({ method, path, operationId, body }: Endpoint, query = '', fields: object = {}) {
  const address = fillPath(
    path,
    Object.fromEntries(pathParameters(path).map((name) => [name, unknownPathValue(name)])),
  );
  const parameters = [queries[operationId], query].filter(Boolean).join('&');
  return server.api.send(`${method} ${address}?${parameters}` as `${string} /${string}`, {
    as: admin,
    ...(body === undefined ? {} : { body: { ...bodies[operationId], ...fields } }),
  });
}

const named = (chosen: readonly Endpoint[]) =>
  chosen.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

describe('an operation for a node', () => {
  const forNodes = endpoints.filter(({ query }) => query?.shape.remoteNode !== undefined);

  it.each(named(forNodes))('%s returns 400 for another node', async (_, endpoint) => {
    await expect(send(endpoint, 'remoteNode=elsewhere')).resolves.toMatchObject({
      status: 400,
      body: { reason: takesRemoteNode(endpoint) ? 'remote_node_unknown' : 'remote_node_unsupported' },
    });
  });
});

describe('an operation that changes rights', () => {
  const withBody = endpoints.filter((endpoint) => endpoint.body !== undefined && changesRights(endpoint));

  it('is each of those on users, keys, secrets, webhooks and nodes', () => {
    const names = withBody.map(({ operationId }) => operationId);
    expect(names).toEqual(expect.arrayContaining(['createUser', 'createAPIKey', 'createSecret', 'createRemoteNode']));
    expect(names).not.toContain('triggerWebhook');
  });

  it.each(named(withBody))('%s returns 400 for a field that it does not have', async (_, endpoint) => {
    await expect(send(endpoint, '', { onlyUntil: '2026-01-01' })).resolves.toMatchObject({
      status: 400,
      body: { reason: 'request_invalid', message: expect.stringContaining('onlyUntil') as string },
    });
  });
});

describe('an operation on an object', () => {
  // The runs of a name that no DAG has are an empty list, strangers do not learn which DAGs have a webhook, and Git sync
  // is off: its files are in specs of their own.
  const onObjects = endpoints.filter(
    ({ params, errors, operationId, tag }) =>
      params !== undefined &&
      tag !== 'sync' &&
      errors[404] !== undefined &&
      !['listDAGRunsByName', 'triggerWebhook'].includes(operationId),
  );

  it.each(named(onObjects))('%s returns 404 for one that does not exist', async (_, endpoint) => {
    await expect(send(endpoint)).resolves.toMatchObject({
      status: 404,
      body: { code: 'not_found', reason: expect.stringMatching(/_not_found$/) as string },
    });
  });
});
