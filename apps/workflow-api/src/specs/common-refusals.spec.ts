import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { takesRemoteNode, workflowContract } from '@weir/workflow-contract';
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

function send({ method, path, operationId, body }: Endpoint, query = '') {
  const address = fillPath(
    path,
    Object.fromEntries(pathParameters(path).map((name) => [name, unknownPathValue(name)])),
  );
  const parameters = [queries[operationId], query].filter(Boolean).join('&');
  return server.api.send(`${method} ${address}?${parameters}` as `${string} /${string}`, {
    as: admin,
    ...(body === undefined ? {} : { body: bodies[operationId] ?? {} }),
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
