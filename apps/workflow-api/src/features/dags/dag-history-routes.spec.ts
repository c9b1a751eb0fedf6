import { aSpec } from '../../testing/a-spec';
import { badRequest, roleMissing } from '../../testing/answers';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

let server: TestWorkflow;
let asAdmin: string;
const missing = { status: 404, body: { reason: 'dag_not_found' } };

beforeEach(async () => {
  server = await createTestWorkflow({ roles: ['api', 'worker'] });
  asAdmin = await server.createKey('admin');
  await server.addDag('nightly', 'steps:\n  - {id: one, run: "true"}\n');
  await server.addDag('slow', 'steps:\n  - {id: one, run: sleep 60}\n');
});
afterEach(() => server.stop());

const get = (path: `/${string}`, as = asAdmin) => server.api.send(`GET ${path}`, { as });
const startAndWait = (name: string, body: object, as = asAdmin) =>
  server.api.send(`POST /dags/${name}/start-sync`, { as, body });

describe('POST /dags/{fileName}/start-sync', () => {
  it('returns 200 with the run once it has ended', async () => {
    await expect(startAndWait('nightly', { timeout: 20, dagRunId: 'r-1' })).resolves.toMatchObject({
      status: 200,
      body: { dagRun: { dagRunId: 'r-1', statusLabel: 'succeeded', nodes: [{ statusLabel: 'succeeded' }] } },
    });
  });

  it('returns 200 with a run that waits for a person', async () => {
    await server.addDag('gate', 'steps:\n  - id: gate\n    run: "true"\n    approval: {prompt: go}\n');

    await expect(startAndWait('gate', { timeout: 20 })).resolves.toMatchObject({
      status: 200,
      body: { dagRun: { statusLabel: 'waiting' } },
    });
  });

  it('returns 408 with the id of the run, which continues', async () => {
    const answer = await startAndWait('slow', { timeout: 1, dagRunId: 'r-1' });

    expect(answer).toMatchObject({ status: 408, body: { code: 'timeout', dagRunId: 'r-1' } });
    await expect(get('/dags/slow/dag-runs/r-1')).resolves.toMatchObject({
      body: { dagRun: { statusLabel: 'running' } },
    });
  });

  it('refuses the same requests as a start, and a missing timeout', async () => {
    const viewer = await server.createKey('viewer');

    await expect(startAndWait('nightly', { timeout: 5 }, viewer)).resolves.toMatchObject(roleMissing);
    await expect(startAndWait('unknown', { timeout: 5 })).resolves.toMatchObject(missing);
    await expect(startAndWait('nightly', {})).resolves.toMatchObject(badRequest('request_invalid'));
    await startAndWait('nightly', { timeout: 20, dagRunId: 'r-1' });
    await expect(startAndWait('nightly', { timeout: 5, dagRunId: 'r-1' })).resolves.toMatchObject({ status: 409 });
  });
});

describe('GET /dags/{fileName}/dag-runs', () => {
  it('returns 200 with the runs, newest first, and a row for each step', async () => {
    for (const dagRunId of ['r-1', 'r-2']) await startAndWait('nightly', { timeout: 20, dagRunId });
    const { status, body } = await get('/dags/nightly/dag-runs');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      dagRuns: [{ dagRunId: 'r-2' }, { dagRunId: 'r-1' }],
      gridData: [{ name: 'one', history: [4, 4] }],
    });
  });

  it('returns 200 without runs', async () => {
    expect((await get('/dags/nightly/dag-runs')).body).toEqual({
      dagRuns: [],
      gridData: [{ name: 'one', history: [] }],
    });
  });

  it('returns 404 for an unknown DAG, and for one of a workspace that is not visible', async () => {
    await server.addDag('secret', aSpec('labels: workspace=ops\n'));
    const as = await server.createKey('viewer', { dev: 'developer' });

    await expect(get('/dags/unknown/dag-runs')).resolves.toMatchObject(missing);
    await expect(get('/dags/secret/dag-runs', as)).resolves.toMatchObject(missing);
  });
});

describe('GET /dags/{fileName}/dag-runs/{dagRunId}', () => {
  it('returns 200 with the run, also with the latest', async () => {
    await startAndWait('nightly', { timeout: 20, dagRunId: 'r-1' });

    for (const id of ['r-1', 'latest']) {
      await expect(get(`/dags/nightly/dag-runs/${id}`)).resolves.toMatchObject({
        status: 200,
        body: { dagRun: { dagRunId: 'r-1' } },
      });
    }
  });

  it('returns 404 for an unknown run', async () => {
    await expect(get('/dags/nightly/dag-runs/r-9')).resolves.toMatchObject({
      status: 404,
      body: { reason: 'dag_run_not_found' },
    });
  });
});
