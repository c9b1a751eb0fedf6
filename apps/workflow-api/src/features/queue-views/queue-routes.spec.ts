import type { DagRun } from '@weir/workflow-engine';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { badRequest } from '../../testing/answers';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

let test: TestWorkflow;
let asAdmin: string;

beforeEach(async () => {
  test = await createTestWorkflow({ config: { queues: new Map([['wide', 4]]) } });
  asAdmin = await test.createKey('admin');
});
afterEach(() => test.stop());

const start = Date.UTC(2026, 0, 2);
const add = (id: string, values: Partial<DagRun> = {}) =>
  test.application.runs.insert(
    aRun({ id, dagRunId: id, dagName: 'nightly', queuedAt: new Date(start), ...values }),
    [aRunStep()],
    { singleton: false },
  );
const addRunning = (id: string, values: Partial<DagRun> = {}) =>
  add(id, { status: 'running', ownerId: 'one', fencingToken: 1, ...values });
const get = (path: `/${string}`, as = asAdmin) => test.api.send(`GET ${path}`, { as });
const idsOf = (body: Readonly<Record<string, unknown>>) =>
  (body.items as { dagRunId: string }[]).map(({ dagRunId }) => dagRunId);

describe('GET /queues', () => {
  it('returns 200 with configured queues and those that hold runs', async () => {
    await addRunning('a');
    await add('b');
    await addRunning('c', { queueName: 'wide' });

    const { status, body } = await get('/queues');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      queues: [
        {
          name: 'nightly',
          type: 'dag-based',
          maxConcurrency: 1,
          runningCount: 1,
          queuedCount: 1,
          running: [{ dagRunId: 'a', statusLabel: 'running' }],
        },
        {
          name: 'wide',
          type: 'global',
          maxConcurrency: 4,
          runningCount: 1,
          queuedCount: 0,
          running: [{ dagRunId: 'c' }],
        },
      ],
      summary: { totalQueues: 2, totalRunning: 2, totalQueued: 1, totalCapacity: 5, utilizationPercentage: 40 },
    });
  });

  it('counts only runs that are visible', async () => {
    await add('a', { workspace: 'ops' });
    await add('b', { workspace: 'sales' });

    const { body } = await get('/queues', await test.createKey('viewer', { ops: 'viewer' }));
    expect(body.queues).toMatchObject([{ name: 'nightly', queuedCount: 1 }, { name: 'wide' }]);
  });

  it('returns 400 for another node', async () => {
    await expect(get('/queues?remoteNode=other')).resolves.toMatchObject(badRequest('remote_node_unknown'));
  });
});

describe('GET /queues/{name}', () => {
  it('returns 200 for a configured queue that is empty', async () => {
    await expect(get('/queues/wide')).resolves.toMatchObject({ status: 200, body: { name: 'wide', running: [] } });
  });

  it('returns 404 for a queue that holds nothing visible', async () => {
    await add('a', { workspace: 'ops' });
    const as = await test.createKey('viewer', { sales: 'viewer' });

    await expect(get('/queues/nightly', as)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'queue_not_found' },
    });
    await expect(get('/queues/nightly/items', as)).resolves.toMatchObject({ status: 404 });
  });
});

describe('GET /queues/{name}/items', () => {
  beforeEach(async () => {
    await addRunning('running');
    for (const [index, id] of ['c', 'a', 'b'].entries()) await add(id, { queuedAt: new Date(start + index * 60_000) });
  });

  it('returns 200 with the next run first, page by page', async () => {
    const { status, body } = await get('/queues/nightly/items?limit=2');
    const next = await get(`/queues/nightly/items?limit=2&cursor=${String(body.nextCursor)}`);

    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(['c', 'a']);
    expect(idsOf(next.body)).toEqual(['b']);
    expect(next.body).not.toHaveProperty('nextCursor');
  });

  it('returns 400 for a cursor of another queue', async () => {
    const { body } = await get('/queues/nightly/items?limit=2');

    await expect(get(`/queues/wide/items?cursor=${String(body.nextCursor)}`)).resolves.toMatchObject(
      badRequest('cursor_invalid'),
    );
    await expect(get('/queues/nightly/items?cursor=x')).resolves.toMatchObject(badRequest('cursor_invalid'));
  });
});
