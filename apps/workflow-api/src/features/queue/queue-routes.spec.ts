import type { DagRun } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
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
    { audit: unaudited, singleton: false },
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

const post = (path: `/${string}`, { as = asAdmin, body }: { readonly as?: string; readonly body?: object } = {}) =>
  test.api.send(`POST ${path}`, { as, ...(body && { body }) });

describe('POST /queues/{name}/pause', () => {
  it('returns 200 with the person and the time of the pause, and lists the queue even when it is empty', async () => {
    await add('a');

    const { status, body } = await post('/queues/nightly/pause');
    await test.application.runs.commit(
      'a',
      { kind: 'dequeue_requested', at: new Date(start), error: 'unwanted' },
      { audit: unaudited },
    );

    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'nightly', pausedAt: expect.any(String) as string });
    await expect(get('/queues')).resolves.toMatchObject({
      body: { queues: [{ name: 'nightly', queuedCount: 0, pausedBy: body.pausedBy }, { name: 'wide' }] },
    });
    await expect(post('/queues/nightly/resume')).resolves.toMatchObject({ status: 404 });
    await expect(get('/queues/nightly')).resolves.toMatchObject({ status: 404 });
  });

  it('explains why its runs are not running', async () => {
    await add('a');
    await post('/queues/nightly/pause');

    await expect(get('/dag-runs/nightly/a/explain')).resolves.toMatchObject({
      body: { causes: [{ kind: 'queue_paused', at: expect.any(String) as string }, { kind: 'queued' }, {}] },
    });
  });

  it('returns 403 for a viewer, and for a role in some workspaces only', async () => {
    const refused = { status: 403, body: { reason: 'role_missing' } };
    const inOne = await test.createKey('operator', { ops: 'operator' });

    await expect(post('/queues/wide/pause', { as: await test.createKey('viewer') })).resolves.toMatchObject(refused);
    await expect(post('/queues/wide/pause', { as: inOne })).resolves.toMatchObject(refused);
    await expect(post('/queues/wide/resume', { as: inOne })).resolves.toMatchObject(refused);
  });

  it('returns 404 for an unknown queue', async () => {
    await expect(post('/queues/none/pause')).resolves.toMatchObject({
      status: 404,
      body: { reason: 'queue_not_found' },
    });
  });
});

describe('POST /queues/{name}/resume', () => {
  it('returns 200 with the queue, which is not paused, even when repeated', async () => {
    await post('/queues/wide/pause');
    for (const { status, body } of [await post('/queues/wide/resume'), await post('/queues/wide/resume')]) {
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('pausedAt');
    }
  });
});

describe('POST /queues/{name}/items/move', () => {
  const move = (dagRunId: string, to: 'first' | 'last', queue = 'nightly', as = asAdmin) =>
    post(`/queues/${queue}/items/move`, { as, body: { name: 'nightly', dagRunId, to } });

  beforeEach(async () => {
    for (const [index, id] of ['a', 'b', 'c'].entries()) await add(id, { queuedAt: new Date(start + index * 60_000) });
  });

  it('returns 200 with the new position', async () => {
    await expect(move('c', 'first')).resolves.toMatchObject({ status: 200, body: { position: 1 } });
    await expect(move('a', 'last')).resolves.toMatchObject({ status: 200, body: { position: 3 } });

    expect(idsOf((await get('/queues/nightly/items')).body)).toEqual(['c', 'b', 'a']);
  });

  it('returns 400 for a run that waits in another queue, or in none', async () => {
    await addRunning('running');

    await expect(move('a', 'first', 'wide')).resolves.toMatchObject(badRequest('not_queued'));
    await expect(move('running', 'first')).resolves.toMatchObject(badRequest('not_queued'));
  });

  it('returns 403 for a viewer, and 404 for a run that is not visible', async () => {
    await add('inside', { workspace: 'ops' });

    expect((await move('a', 'first', 'nightly', await test.createKey('viewer'))).status).toBe(403);
    const stranger = await test.createKey('operator', { sales: 'operator' });
    expect((await move('inside', 'first', 'nightly', stranger)).status).toBe(404);
  });
});
