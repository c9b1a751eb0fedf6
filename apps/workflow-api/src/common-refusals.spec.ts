import { fillPath, pathParameters, type Endpoint } from '@weir/http-contract';
import { workflowContract } from '@weir/workflow-contract';
import { createTestWorkflow, type TestWorkflow } from './testing/workflow-api';

const endpoints: readonly Endpoint[] = Object.values(workflowContract);

/** What a valid request needs besides its path, by operation id. */
const bodies: Readonly<Record<string, object>> = {
  changeStreamTopics: { sessionID: 'x-1' },
  createDoc: { id: 'x-1', content: '' },
  createNewDAG: { name: 'x-1' },
  createWorkspace: { name: 'x-1' },
  deleteDocBatch: { paths: ['x-1'] },
  enqueueDAGRunFromSpec: { spec: '' },
  executeDAGRunFromSpec: { spec: '' },
  executeDAGSync: { timeout: 1 },
  renameDAG: { newFileName: 'x-2' },
  renameDoc: { newPath: 'x-2' },
  resetUserPassword: { newPassword: 'a rather long sentence' },
  retryDAGRun: { dagRunId: 'x-1' },
  setup: { username: 'ada', password: 'a rather long sentence' },
  updateBaseConfig: { spec: '' },
  updateDAGSpec: { spec: '' },
  updateDAGRunStepStatus: { status: 4 },
  updateDAGSuspensionState: { suspend: true },
  updateDoc: { content: '' },
  updateSubDAGRunStepStatus: { status: 4 },
  validateDAGSpec: { spec: '' },
};
const queries: Readonly<Record<string, string>> = {
  deleteDoc: 'path=x-1',
  downloadDAGRunArtifact: 'path=x-1',
  downloadSubDAGRunArtifact: 'path=x-1',
  getDAGRunArtifactPreview: 'path=x-1',
  getDoc: 'path=x-1',
  getScheduleCalendar: 'to=2026-01-01T00:00:00Z',
  getSubDAGRunArtifactPreview: 'path=x-1',
  renameDoc: 'path=x-1',
  searchDAGFeed: 'q=x-1',
  searchDAGs: 'q=x-1',
  searchDagMatches: 'q=x-1',
  searchDocFeed: 'q=x-1',
  searchDocMatches: 'q=x-1&path=x-1',
  searchDocs: 'q=x-1',
  updateDoc: 'path=x-1',
};

let server: TestWorkflow;
let admin: string;

beforeAll(async () => {
  server = await createTestWorkflow();
  admin = await server.createKey('admin');
});
afterAll(() => server.stop());

function send({ method, path, operationId, body }: Endpoint, query = '') {
  const address = fillPath(path, Object.fromEntries(pathParameters(path).map((name) => [name, 'x-1'])));
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
      body: { reason: 'remote_node_unknown' },
    });
  });
});

describe('an operation on an object', () => {
  // The runs of a name that no DAG has are an empty list.
  const onObjects = endpoints.filter(
    ({ params, errors, operationId }) =>
      params !== undefined && errors[404] !== undefined && operationId !== 'listDAGRunsByName',
  );

  it.each(named(onObjects))('%s returns 404 for one that does not exist', async (_, endpoint) => {
    await expect(send(endpoint)).resolves.toMatchObject({
      status: 404,
      body: { code: 'not_found', reason: expect.stringMatching(/_not_found$/) as string },
    });
  });
});
