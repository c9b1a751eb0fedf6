import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import { createInMemoryRunStore } from './in-memory-queue-driver';

let test: TestWorkflow;
let asAdmin: string;
let store: ReturnType<typeof createInMemoryRunStore>;

const specText = 'steps:\n  - {name: only, run: "true"}\n';

beforeEach(async () => {
  store = createInMemoryRunStore({ maxFailures: 1 });
  test = await createTestWorkflow({ platform: store });
  asAdmin = await test.createKey('admin');
});
afterEach(() => test.stop());

const send = (request: `GET /${string}` | `POST /${string}`, as = asAdmin, body?: object) =>
  test.api.send(request, { as, ...(body && { body }) });

/** A run whose worker was lost once, and which another worker has ended for it. */
async function giveUp(dagRunId: string, { isEnded = true, ...values }: { isEnded?: boolean; workspace?: string } = {}) {
  const run = aRun({ id: dagRunId, dagRunId, dagName: 'nightly', queueName: 'etl', specText, ...values });
  await store.runs.insert(run, [aRunStep({ name: 'only' })], { audit: unaudited, singleton: false });
  const at = new Date();
  await store.queue.claim({ owner: 'lost', labels: {}, at, from: 'queue' });
  const claim = await store.queue.claim({ owner: 'other', labels: {}, at, from: 'expired' });
  if (!isEnded || claim === undefined) return;
  const ended = { status: 'failed', finishedAt: at, error: 'given up' } as const;
  const lease = { ownerId: 'other', token: claim.token };
  await store.runs.commit(claim.runId, toOwnerEvent(lease, [{ position: 0, status: 'aborted' }], ended), {
    audit: unaudited,
  });
}

describe('GET /dead-letters', () => {
  it('returns 200 with the runs that were given up, with the reasons', async () => {
    await giveUp('a');

    const { status, body } = await send('GET /dead-letters');

    expect(status).toBe(200);
    expect(body.deadLetters).toMatchObject([
      {
        queue: 'etl',
        reason: 'worker_lost',
        failures: 1,
        run: { name: 'nightly', dagRunId: 'a', statusLabel: 'failed' },
      },
    ]);
    await expect(send('GET /dead-letters?queue=other')).resolves.toMatchObject({ body: { deadLetters: [] } });
  });

  it('shows only runs that are visible', async () => {
    await giveUp('a', { workspace: 'ops' });

    const as = await test.createKey('viewer', { sales: 'viewer' });
    await expect(send('GET /dead-letters', as)).resolves.toMatchObject({ status: 200, body: { deadLetters: [] } });
  });

  it('returns 400 for another node', async () => {
    await expect(send('GET /dead-letters?remoteNode=other')).resolves.toMatchObject(badRequest('remote_node_unknown'));
  });
});

describe('POST /dead-letters/redrive', () => {
  const redrive = (body: object = {}, as = asAdmin) => send('POST /dead-letters/redrive', as, body);

  it('returns 200 with the runs that are queued again', async () => {
    await giveUp('a');
    await giveUp('b');

    await expect(redrive({ dagRunId: 'a' })).resolves.toMatchObject({
      status: 200,
      body: { redriven: [{ name: 'nightly', dagRunId: 'a' }], refused: [] },
    });
    await expect(store.runs.findById('a')).resolves.toMatchObject({ status: 'queued' });
    await expect(redrive({ queue: 'other' })).resolves.toMatchObject({ body: { redriven: [], refused: [] } });
    await expect(redrive()).resolves.toMatchObject({ body: { redriven: [{ dagRunId: 'b' }] } });
    await expect(send('GET /dead-letters')).resolves.toMatchObject({ body: { deadLetters: [] } });
  });

  it('is recorded for each run in the workspace of the run', async () => {
    for (const workspace of ['ops', 'sales']) await giveUp(workspace, { workspace });
    await redrive();

    for (const workspace of ['ops', 'sales']) {
      await expect(send(`GET /audit?workspace=${workspace}`)).resolves.toMatchObject({
        body: { total: 1, entries: [{ action: 'queue_redrive', resourceId: `nightly/${workspace}` }] },
      });
    }
  });

  it('reports refused runs, which stay in the list', async () => {
    await giveUp('a', { isEnded: false });

    await expect(redrive()).resolves.toMatchObject({
      body: { redriven: [], refused: [{ name: 'nightly', dagRunId: 'a', reason: 'dag_run_active' }] },
    });
    await expect(send('GET /dead-letters')).resolves.toMatchObject({ body: { deadLetters: [{}] } });
  });

  it('refuses the runs of workspaces in which the principal may not control runs', async () => {
    await giveUp('a', { workspace: 'ops' });
    const as = await test.createKey('operator', { ops: 'viewer', sales: 'operator' });

    await expect(redrive({}, as)).resolves.toMatchObject({
      body: { redriven: [], refused: [{ dagRunId: 'a', reason: 'role_missing' }] },
    });
  });

  it('returns 403 for a viewer', async () => {
    await expect(redrive({}, await test.createKey('viewer'))).resolves.toMatchObject({ status: 403 });
  });
});
