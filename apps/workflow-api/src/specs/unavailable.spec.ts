import { fillPath } from '@weir/api-client';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { workflowContract } from '@weir/workflow-contract';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../access/audited-operation';
import { createInlineParsers, type DagParser } from '../dag-parser';
import { parserBusy } from '../dag-parser/parser-errors';
import { dagsLoading } from '../features/dags/dag-errors';
import { bodies, queries } from '../testing/valid-requests';
import { createTestWorkflow, type TestWorkflow } from '../testing/workflow-api';

const endpoints: readonly Endpoint[] = Object.values(workflowContract);
const answering = (status: number, reason: string) =>
  endpoints
    .filter(({ errors }) => errors[status]?.reasons?.includes(reason))
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

const spec = `triggers: [{event: x}]
steps:
  - {name: first, run: "true"}
  - {name: ask, id: ask, run: "true", approval: {prompt: Good?}, depends: first}
`;
const unsupported = `name: x-1\n${spec.replace('{name: first,', '{name: first, worker_selector: {gpu: "yes"},')}`;
const ofEnded = ['retryDAGRun', 'rescheduleDAGRun', 'editRetryDAGRun', 'previewEditRetryDAGRun'];

let server: TestWorkflow;
let admin: string;
let isBusy = false;

beforeEach(async () => {
  isBusy = false;
  const parsers = createInlineParsers();
  const parse: DagParser['parse'] = (text, options) =>
    isBusy ? Promise.reject(parserBusy()) : parsers.forRequests.parse(text, options);
  server = await createTestWorkflow({ platform: { parsers: { ...parsers, forRequests: { parse } } } });
  admin = await server.createKey('admin');
});
afterEach(() => server.stop());

/** A DAG, and a run of it that waits and one that has ended, each with a child run. */
async function addRuns(text: string): Promise<void> {
  await server.addDag('x-1', text);
  const steps = [
    aRunStep({ name: 'first', status: 'succeeded', exitCode: 0 }),
    aRunStep({ name: 'ask', position: 1, status: 'waiting' }),
  ];
  const { runs } = server.application;
  const run = { dagName: 'x-1', fileName: 'x-1', specText: text };
  for (const [id, status] of [
    ['waits', 'waiting'],
    ['ended', 'failed'],
  ] as const) {
    await runs.insert(aRun({ ...run, id, status }), steps, { audit: unaudited, singleton: false });
    const below = { parentId: id, rootId: id, depth: 1, parentNode: '0' };
    await runs.insert(aRun({ ...run, ...below, id: `${id}-below`, status }), steps, {
      audit: unaudited,
      singleton: false,
    });
  }
}

function send(
  { method, path, operationId, body }: Endpoint,
  changes: { as?: string; query?: string; body?: object } = {},
) {
  const run = ofEnded.includes(operationId) || operationId.endsWith('StepStatus') ? 'ended' : 'waits';
  const names: Readonly<Record<string, string>> = {
    name: 'x-1',
    fileName: 'x-1',
    dagRunId: run,
    subDAGRunId: `${run}-below`,
    stepName: 'ask',
    stepId: 'ask',
    revision: '1',
  };
  const address = fillPath(path, Object.fromEntries(pathParameters(path).map((name) => [name, names[name] ?? 'x-1'])));
  const query = [queries[operationId], changes.query].filter(Boolean).join('&');
  return server.api.send(`${method} ${address}?${query}` as `${string} /${string}`, {
    as: changes.as ?? admin,
    ...(body === undefined ? {} : { body: { ...bodies[operationId], ...changes.body } }),
  });
}

describe('an operation that reads all DAGs', () => {
  it.each(answering(503, 'dags_loading'))('%s returns 503 before the folder was read', async (_, endpoint) => {
    await addRuns(spec);
    // How long readers wait for the first scan is shown by the spec of the catalog.
    Object.assign(server.application.files.catalog, { ready: () => Promise.reject(dagsLoading()) });

    await expect(send(endpoint)).resolves.toMatchObject({ status: 503, body: { reason: 'dags_loading' } });
  });
});

describe('an operation that parses a DAG', () => {
  it.each(answering(503, 'parser_busy'))('%s returns 503 while too many requests wait', async (_, endpoint) => {
    await addRuns(spec);
    isBusy = true;

    await expect(send(endpoint)).resolves.toMatchObject({ status: 503, body: { reason: 'parser_busy' } });
  });
});

describe('an operation that starts a DAG', () => {
  it.each(answering(501, 'dag_not_runnable'))('%s returns 501 for what is not executed yet', async (_, endpoint) => {
    await addRuns(endpoint.operationId === 'startBackfill' ? `schedule: "0 * * * *"\n${unsupported}` : unsupported);
    const body =
      endpoint.path.endsWith('/retry') || !('spec' in (bodies[endpoint.operationId] ?? {}))
        ? {}
        : { spec: unsupported };

    await expect(send(endpoint, { body })).resolves.toMatchObject({
      status: 501,
      body: { reason: 'dag_not_runnable', message: expect.stringContaining('worker_selector') as string },
    });
  });
});

describe('an operation on a workspace', () => {
  const ofWorkspaces = answering(404, 'workspace_not_found').filter(
    ([, { query }]) => query?.shape.workspace !== undefined,
  );

  it.each(ofWorkspaces)('%s returns 404 for one that is not visible', async (_, endpoint) => {
    await addRuns(spec);
    const as = await server.createKey('viewer', { open: 'developer' });

    await expect(send(endpoint, { as, query: 'workspace=closed' })).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });
});

describe('an operation on a child run', () => {
  const changes = answering(403, 'role_missing').filter(([, { path }]) => path.includes('{subDAGRunId}'));

  it.each(changes)('%s returns 403 to a viewer', async (_, endpoint) => {
    await addRuns(spec);
    const as = await server.createKey('viewer');

    await expect(send(endpoint, { as })).resolves.toMatchObject({ status: 403, body: { reason: 'role_missing' } });
  });
});
