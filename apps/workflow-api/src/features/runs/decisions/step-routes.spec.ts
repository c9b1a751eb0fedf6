import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { badRequest } from '../../../testing/answers';
import { useWorkflow } from '../../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const specText = `steps:
  - name: a
    run: "true"
  - name: b
    run: "false"
  - name: ask
    action: human.task
    with: { prompt: Done? }
`;
const steps = [
  aRunStep({ position: 0, name: 'a', status: 'succeeded' }),
  aRunStep({ position: 1, name: 'b', status: 'failed', error: 'exit 1' }),
  aRunStep({ position: 2, name: 'ask', status: 'succeeded' }),
];
const add = (values: Parameters<typeof aRun>[0] = {}, rows = steps) =>
  workflow.server.application.runs.insert(aRun({ status: 'failed', specText, ...values }), rows, {
    audit: unaudited,
    singleton: false,
  });
const patch = (address: string, status: number, as = workflow.asAdmin) =>
  workflow.server.api.send(`PATCH /dag-runs/${address}/status`, { as, body: { status } });
const labels = async (address: `/${string}` = '/dag-runs/nightly/run-1') => {
  const { dagRunDetails } = (await get(address)).body as {
    dagRunDetails: { statusLabel: string; nodes: { statusLabel: string; error?: string }[] };
  };
  return [dagRunDetails.statusLabel, ...dagRunDetails.nodes.map(({ statusLabel }) => statusLabel)];
};

describe('PATCH /dag-runs/{name}/{dagRunId}/steps/{stepName}/status', () => {
  it('returns 200 and derives the status of the run again', async () => {
    await add();
    await expect(patch('nightly/run-1/steps/b', 4)).resolves.toMatchObject({ status: 200 });
    await expect(labels()).resolves.toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    await patch('nightly/run-1/steps/a', 6);
    await expect(labels()).resolves.toEqual(['partially_succeeded', 'partially_succeeded', 'succeeded', 'succeeded']);
    await patch('nightly/run-1/steps/a', 2);

    await expect(labels()).resolves.toEqual(['failed', 'failed', 'succeeded', 'succeeded']);
  });

  it('changes a step of a child run', async () => {
    await add();
    const below = { id: 'sub', dagName: 'child', dagRunId: 'sub', parentId: 'run-1', rootId: 'run-1', depth: 1 };
    await add({ ...below, parentNode: '0' });

    await expect(patch('nightly/run-1/sub-dag-runs/sub/steps/b', 5)).resolves.toMatchObject({ status: 200 });
    await expect(labels('/dag-runs/nightly/run-1/sub-dag-runs/sub')).resolves.toContain('skipped');
  });

  it.each([
    ['a run that is active', { status: 'running', ownerId: 'one' } as const, 'b', 4, 'dag_run_active'],
    ['a status that is no end', {}, 'b', 1, 'step_not_correctable'],
    ['a status that does not exist', {}, 'b', 10, 'request_invalid'],
    ['a human task', {}, 'ask', 4, 'step_not_correctable'],
  ])('returns 400 for %s', async (_, values, name, status, reason) => {
    await add(values);
    await expect(patch(`nightly/run-1/steps/${name}`, status)).resolves.toMatchObject(badRequest(reason));
  });

  it('returns 403 for a viewer and 404 for an unknown step', async () => {
    await add();
    await expect(patch('nightly/run-1/steps/b', 4, await workflow.server.createKey('viewer'))).resolves.toMatchObject({
      status: 403,
    });
    await expect(patch('nightly/run-1/steps/none', 4)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'step_not_found' },
    });
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/messages', () => {
  it('returns 200 without messages for a step that is no conversation', async () => {
    await add({ status: 'running', ownerId: 'one' }, [aRunStep({ name: 'a', status: 'running' })]);

    await expect(get('/dag-runs/nightly/run-1/steps/a/messages')).resolves.toMatchObject({
      status: 200,
      body: { messages: [], stepStatus: 1, stepStatusLabel: 'running', hasMore: true },
    });
    await expect(get('/dag-runs/nightly/run-1/steps/none/messages')).resolves.toMatchObject({ status: 404 });
  });
});
