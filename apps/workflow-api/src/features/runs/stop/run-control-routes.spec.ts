import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { createTestWorkflow, type TestWorkflow } from '../../../testing/workflow-api';

let test: TestWorkflow;

beforeEach(async () => {
  test = await createTestWorkflow();
  await test.addDag('nightly', 'steps:\n  - {name: extract, run: "true"}\n');
  await test.addDag('inside', 'labels: {workspace: ops}\nsteps:\n  - {name: extract, run: "true"}\n');
});
afterEach(() => test.stop());

const add = (values: Parameters<typeof aRun>[0] = {}) =>
  test.application.runs.insert(aRun(values), [aRunStep()], { audit: unaudited, singleton: false });
const readStatus = async (id: string) => (await test.application.runs.findById(id))?.status;
const send = async (route: Parameters<typeof test.api.send>[0], as?: string, body?: object) =>
  test.api.send(route, { as: as ?? (await test.createKey('operator')), ...(body === undefined ? {} : { body }) });

describe('POST /dag-runs/{name}/{dagRunId}/stop', () => {
  it('returns 200 and aborts a queued run', async () => {
    await add();
    expect((await send('POST /dag-runs/nightly/run-1/stop')).status).toBe(200);
    expect(await readStatus('run-1')).toBe('aborted');
  });

  it('returns 200 and stores the request for the owner of a running run', async () => {
    await add({ status: 'running', ownerId: 'elsewhere' });
    expect((await send('POST /dag-runs/nightly/run-1/stop')).status).toBe(200);
    expect(await readStatus('run-1')).toBe('running');
    await expect(test.application.runs.listStopRequested('elsewhere')).resolves.toEqual(['run-1']);
  });

  it('returns 400 for a run that has ended', async () => {
    await add({ status: 'failed' });
    expect(await send('POST /dag-runs/nightly/run-1/stop')).toMatchObject({
      status: 400,
      body: { reason: 'not_running' },
    });
  });

  it('returns 403 for a viewer, also when that is the role in the workspace of the run', async () => {
    await add({ workspace: 'ops' });
    expect((await send('POST /dag-runs/nightly/run-1/stop', await test.createKey('viewer'))).status).toBe(403);
    const viewer = await test.createKey('viewer', { ops: 'viewer' });
    expect((await send('POST /dag-runs/nightly/run-1/stop', viewer)).status).toBe(403);
    expect(await readStatus('run-1')).toBe('queued');
    const operator = await test.createKey('viewer', { ops: 'operator' });
    expect((await send('POST /dag-runs/nightly/run-1/stop', operator)).status).toBe(200);
  });

  it('returns 404 for a run of a workspace that is not visible', async () => {
    await add({ workspace: 'ops' });
    const stranger = await test.createKey('viewer', { sales: 'operator' });
    expect((await send('POST /dag-runs/nightly/run-1/stop', stranger)).status).toBe(404);
    expect(await readStatus('run-1')).toBe('queued');
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/dequeue', () => {
  it('returns 200, also when repeated', async () => {
    await add();
    expect((await send('GET /dag-runs/nightly/run-1/dequeue')).status).toBe(200);
    expect((await send('GET /dag-runs/nightly/run-1/dequeue')).status).toBe(200);
    expect(await readStatus('run-1')).toBe('aborted');
  });

  it.each([
    ['running', { status: 'running' }],
    ['stopped while it ran', { status: 'aborted', startedAt: new Date() }],
  ] as const)('returns 400 for a run that is %s', async (_, values) => {
    await add(values);
    expect(await send('GET /dag-runs/nightly/run-1/dequeue')).toMatchObject({
      status: 400,
      body: { reason: 'not_queued' },
    });
  });

  it('returns 403 for a viewer, and 404 for an unknown run', async () => {
    await add();
    expect((await send('GET /dag-runs/nightly/run-1/dequeue', await test.createKey('viewer'))).status).toBe(403);
    expect((await send('GET /dag-runs/nightly/none/dequeue')).status).toBe(404);
    expect(await readStatus('run-1')).toBe('queued');
  });
});

describe('POST /dags/{fileName}/stop-all', () => {
  it('returns 200, stops the running runs and no others', async () => {
    await add({ id: 'a', status: 'running', ownerId: 'elsewhere' });
    await add({ id: 'b', status: 'running', ownerId: 'elsewhere' });
    await add({ id: 'c' });
    await add({ id: 'd', dagName: 'other', status: 'running', ownerId: 'elsewhere' });
    expect(await send('POST /dags/nightly/stop-all')).toMatchObject({ status: 200, body: { errors: [] } });

    expect((await test.application.runs.listStopRequested('elsewhere')).toSorted()).toEqual(['a', 'b']);
    expect(await readStatus('c')).toBe('queued');
  });

  it('returns 403 for a viewer, and 404 where the DAG is not visible', async () => {
    expect((await send('POST /dags/nightly/stop-all', await test.createKey('viewer'))).status).toBe(403);
    const stranger = await test.createKey('viewer', { sales: 'operator' });
    expect((await send('POST /dags/inside/stop-all', stranger)).status).toBe(404);
  });
});

describe('POST /dags/{fileName}/enqueue', () => {
  it('returns 200 and stores a queued run with its queue', async () => {
    const body = { dagRunId: 'mine', queue: 'night' };
    expect(await send('POST /dags/nightly/enqueue', undefined, body)).toMatchObject({
      status: 200,
      body: { dagRunId: 'mine' },
    });
    await expect(test.application.runs.find('nightly', 'mine')).resolves.toMatchObject({
      status: 'queued',
      queueName: 'night',
    });
  });

  it('returns 403 for a viewer, and 409 for an existing id or an active singleton', async () => {
    expect((await send('POST /dags/nightly/enqueue', await test.createKey('viewer'), {})).status).toBe(403);
    await add();
    expect((await send('POST /dags/nightly/enqueue', undefined, { dagRunId: 'run-1' })).status).toBe(409);
    expect((await send('POST /dags/nightly/enqueue', undefined, { singleton: true })).status).toBe(409);
  });
});
