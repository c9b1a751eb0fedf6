import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { useWorkflow } from '../../../testing/use-workflow';

const workflow = useWorkflow();
const { get, post } = workflow;
const spec = (text: string) => `params: WHO=world\nsteps:\n  - name: a\n    run: echo ${text}\n`;
const add = (values: Parameters<typeof aRun>[0] = {}) =>
  workflow.server.application.runs.insert(
    aRun({
      status: 'failed',
      specText: spec('old'),
      fileName: 'nightly',
      params: 'WHO=you',
      labels: ['by=hand'],
      ...values,
    }),
    [],
    { audit: unaudited, singleton: false },
  );
const address = '/dag-runs/nightly/run-1/reschedule';
const specOf = async (id: string, name = 'nightly') => (await get(`/dag-runs/${name}/${id}/spec`)).body.spec;

describe('POST /dag-runs/{name}/{dagRunId}/reschedule', () => {
  it('returns 200 and queues a run with the same spec, parameters and labels', async () => {
    await add();
    const { status, body } = await post(address, { dagRunId: 'again' });
    const run = await get('/dag-runs/nightly/again');

    expect({ status, body }).toEqual({ status: 200, body: { dagRunId: 'again', queued: true } });
    expect(run.body.dagRunDetails).toMatchObject({ statusLabel: 'queued', params: 'WHO=you', labels: ['by=hand'] });
    await expect(specOf('again')).resolves.toBe(spec('old'));
  });

  it('uses the present file on request, and another name', async () => {
    await add();
    await workflow.server.addDag('nightly', spec('new'));
    await post(address, { dagRunId: 'fresh', useCurrentDagFile: true });
    await post(address, { dagRunId: 'renamed', dagName: 'other' });

    await expect(specOf('fresh')).resolves.toBe(spec('new'));
    await expect(specOf('renamed', 'other')).resolves.toBe(spec('old'));
  });

  it('needs no body, and accepts "latest"', async () => {
    await add();
    const { status, body } = await workflow.server.api.send('POST /dag-runs/nightly/latest/reschedule', {
      as: workflow.asAdmin,
    });

    expect(status).toBe(200);
    expect(body.dagRunId).not.toBe('run-1');
  });

  it('returns 409 when the id is taken', async () => {
    await add();
    await expect(post(address, { dagRunId: 'run-1' })).resolves.toMatchObject({
      status: 409,
      body: { reason: 'dag_run_exists' },
    });
  });

  it('returns 404 when the present file is missing, and for an unknown run', async () => {
    await add();
    await expect(post(address, { useCurrentDagFile: true })).resolves.toMatchObject({
      status: 404,
      body: { reason: 'dag_not_found' },
    });
    await expect(post('/dag-runs/nightly/none/reschedule')).resolves.toMatchObject({ status: 404 });
  });

  it('returns 403 for a viewer', async () => {
    await add();
    await expect(post(address, {}, await workflow.server.createKey('viewer'))).resolves.toMatchObject({ status: 403 });
  });
});
