import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { badRequest, roleMissing } from '../../../testing/answers';
import { useWorkflow } from '../../../testing/use-workflow';

const workflow = useWorkflow();
const { get, post } = workflow;
const spec = (second: string, more = '') =>
  `type: chain\nsteps:\n  - name: a\n    run: echo a\n  - name: b\n    run: ${second}\n${more}`;
const third = '  - name: c\n    run: echo c\n';
const add = (values: Parameters<typeof aRun>[0] = {}) =>
  workflow.server.application.runs.insert(
    aRun({ status: 'failed', specText: spec('exit 1', third), params: 'WHO=you', labels: ['by=hand'], ...values }),
    [
      aRunStep({ name: 'a', status: 'succeeded', exitCode: 0 }),
      aRunStep({ name: 'b', position: 1, status: 'failed' }),
      aRunStep({ name: 'c', position: 2, status: 'succeeded' }),
    ],
    {
      audit: unaudited,
      singleton: false,
      outputs: new Map([[0, { fields: [{ name: 'n', value: 1 }], declared: [] }]]),
    },
  );
const address = '/dag-runs/nightly/run-1/edit-retry';
const preview = (body: object, as?: string) => post(`${address}/preview`, body, as);
const nodesOf = async (id: string) =>
  ((await get(`/dag-runs/nightly/${id}`)).body as { dagRunDetails: { nodes: object[] } }).dagRunDetails.nodes;

describe('POST /dag-runs/{name}/{dagRunId}/edit-retry/preview', () => {
  it('lists the steps that are kept, executed, not reusable and removed', async () => {
    await add();
    const edited = spec('true', '  - name: d\n    run: echo d\n');

    await expect(preview({ spec: edited, dagName: 'other' })).resolves.toMatchObject({
      status: 200,
      body: {
        dagName: 'other',
        skippedSteps: ['a'],
        runnableSteps: ['b', 'd'],
        steps: [{ name: 'a' }, { name: 'b' }, { name: 'd' }],
        ineligibleSteps: [
          { stepName: 'b', reason: 'The step did not pass: its status is failed.' },
          { stepName: 'd', reason: 'The run has no step of this name.' },
        ],
        errors: [],
        warnings: ['The step "c" of the run is not in the edited spec.'],
      },
    });
  });

  it('returns 200 with the errors of the spec, and with parts that cannot be executed', async () => {
    await add();
    const { status, body } = await preview({ spec: 'steps:\n  - name: a\n    runn: x\n' });

    expect({ status, ...body }).toMatchObject({ status: 200, steps: [], runnableSteps: [] });
    expect(body.errors).not.toEqual([]);
  });

  it('accepts "latest", and returns 404 for an unknown run', async () => {
    await add();
    await expect(post('/dag-runs/nightly/latest/edit-retry/preview', { spec: spec('true') })).resolves.toMatchObject({
      status: 200,
      body: { skippedSteps: ['a'] },
    });
    await expect(post('/dag-runs/nightly/none/edit-retry/preview', { spec: '' })).resolves.toMatchObject({
      status: 404,
    });
  });

  it('returns 409 while the run is active', async () => {
    await add({ status: 'running' });
    await expect(preview({ spec: spec('true') })).resolves.toMatchObject({
      status: 409,
      body: { reason: 'dag_run_active' },
    });
  });

  it('returns 403 to an operator', async () => {
    await add();
    await expect(preview({ spec: spec('true') }, await workflow.server.createKey('operator'))).resolves.toMatchObject(
      roleMissing,
    );
  });
});

describe('POST /dag-runs/{name}/{dagRunId}/edit-retry', () => {
  it('queues a run with the ends and outputs of the steps that are kept', async () => {
    await add();
    const { status, body } = await post(address, { spec: spec('true', third), dagRunId: 'edited' });
    const details = await get('/dag-runs/nightly/edited');
    const { runs } = workflow.server.application;
    const stored = await runs.find('nightly', 'edited');

    expect({ status, body }).toEqual({
      status: 200,
      body: { dagRunId: 'edited', queued: true, skippedSteps: ['a'], startedSteps: ['b', 'c'] },
    });
    expect(details.body.dagRunDetails).toMatchObject({
      statusLabel: 'queued',
      params: 'WHO=you',
      labels: ['by=hand'],
      triggerType: 'retry',
      startedBy: { kind: 'api_key' },
      nodes: [{ statusLabel: 'succeeded' }, { statusLabel: 'not_started' }, { statusLabel: 'not_started' }],
    });
    await expect(runs.readOutputs(stored?.id ?? '')).resolves.toEqual(
      new Map([[0, { fields: [{ name: 'n', value: 1 }], declared: [] }]]),
    );
  });

  it('keeps exactly the named steps', async () => {
    await add();
    await expect(
      post(address, { spec: spec('true', third), dagRunId: 'chosen', skipSteps: ['c'] }),
    ).resolves.toMatchObject({ status: 200, body: { skippedSteps: ['c'], startedSteps: ['a', 'b'] } });

    await expect(nodesOf('chosen')).resolves.toMatchObject([
      { statusLabel: 'not_started' },
      { statusLabel: 'not_started' },
      { statusLabel: 'succeeded' },
    ]);
  });

  it.each([
    ['that did not pass', 'b'],
    ['that is not in the spec', 'x'],
  ])('returns 400 for a step %s', async (_, name) => {
    await add();
    await expect(post(address, { spec: spec('true'), skipSteps: [name] })).resolves.toMatchObject(
      badRequest('step_not_reusable'),
    );
  });

  it('returns 400 for a spec with errors, 409 for a taken id and for an active run', async () => {
    await add();
    await expect(post(address, { spec: 'steps: 1\n' })).resolves.toMatchObject(badRequest('spec_invalid'));
    await expect(post(address, { spec: spec('true'), dagRunId: 'run-1' })).resolves.toMatchObject({
      status: 409,
      body: { reason: 'dag_run_exists' },
    });
    await add({ id: 'run-2', status: 'queued' });
    await expect(post('/dag-runs/nightly/run-2/edit-retry', { spec: spec('true') })).resolves.toMatchObject({
      status: 409,
      body: { reason: 'dag_run_active' },
    });
  });

  it('returns 403 to an operator', async () => {
    await add();
    const operator = await workflow.server.createKey('operator');
    await expect(post(address, { spec: spec('true') }, operator)).resolves.toMatchObject(roleMissing);
  });
});
