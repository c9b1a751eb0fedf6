import type { DagRun, DagRunStep } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const specText = `steps:
  - {name: review, id: rev, run: "true", approval: {prompt: Good?}}
  - {name: ask, id: ask, action: human.task, with: {prompt: Well?}}
  - {name: call, action: dag.run, with: {dag: child}}
  - {name: last, run: "true", depends: [review, ask]}
`;
const names = ['review', 'ask', 'call', 'last'];
const rows = names.map((name, position) =>
  aRunStep({ name, position, status: name === 'last' ? 'not_started' : 'waiting' }),
);
const add = (values: Partial<DagRun> = {}, steps: readonly DagRunStep[] = [aRunStep()]) =>
  workflow.server.application.runs.insert(aRun(values), steps, { audit: unaudited, singleton: false });
const addWaiting = () => add({ status: 'waiting', specText }, rows);
const causesOf = async (address: string, as = workflow.asAdmin) =>
  (await get(`/dag-runs/${address}`, as)).body.causes as { kind: string }[];
const kindsOf = async (address: string) => (await causesOf(address)).map(({ kind }) => kind);

describe('GET /open-decisions', () => {
  const list = async (query = '', as = workflow.asAdmin) =>
    (await get(`/open-decisions${query}`, as)).body as { items: object[]; nextCursor?: string };

  it('returns 200 with the steps that wait for people, including those of child runs, with their forms', async () => {
    await add({ status: 'running', ownerId: 'one', specText }, rows);
    const child = { dagName: 'child', parentId: 'run-1', rootId: 'run-1', depth: 1, parentNode: '2', specText };
    await add({ id: 'below', status: 'waiting', ...child }, rows.slice(0, 1));
    await add({ id: 'ended', status: 'succeeded', ...child }, rows.slice(0, 1));

    const above = { name: 'nightly', dagRunId: 'run-1', mayDecide: true };
    await expect(list()).resolves.toEqual({
      items: [
        {
          ...above,
          kind: 'approval',
          dagName: 'nightly',
          step: 'review',
          stepId: 'rev',
          prompt: 'Good?',
          input: [],
          required: [],
        },
        {
          ...above,
          kind: 'human_task',
          dagName: 'nightly',
          step: 'ask',
          stepId: 'ask',
          prompt: 'Well?',
          form: {},
        },
        {
          ...above,
          subDAGRunId: 'below',
          kind: 'approval',
          dagName: 'child',
          step: 'review',
          stepId: 'rev',
          prompt: 'Good?',
          input: [],
          required: [],
        },
      ],
    });
  });

  it('shows the visible workspaces, or the selected one, page by page, and who may decide', async () => {
    for (const [index, workspace] of ['ops', 'sales', null].entries()) {
      const createdAt = new Date(Date.UTC(2026, 1, index + 1));
      await add({ id: `run-${index}`, status: 'waiting', specText, workspace, createdAt }, rows.slice(0, 1));
    }
    const asOps = await workflow.server.createKey('viewer', { ops: 'operator' });

    const first = await list('?limit=1', asOps);
    expect(first.items).toMatchObject([{ dagRunId: 'run-2', mayDecide: false }]);
    const second = await list(`?limit=1&cursor=${first.nextCursor}`, asOps);
    expect(second).toMatchObject({ items: [{ dagRunId: 'run-0', workspace: 'ops', mayDecide: true }] });
    expect(second).not.toHaveProperty('nextCursor');
    await expect(list('?workspace=sales')).resolves.toMatchObject({ items: [{ dagRunId: 'run-1' }] });
    await expect(get('/open-decisions?workspace=sales', asOps)).resolves.toMatchObject({ status: 404 });
    await expect(get(`/open-decisions?cursor=${first.nextCursor}`)).resolves.toMatchObject({ status: 400 });
  });
});

describe('GET /open-decisions', () => {
  it('returns 404 for a workspace that is not visible', async () => {
    const asOps = await workflow.server.createKey('viewer', { ops: 'viewer' });

    await expect(get('/open-decisions?workspace=sales', asOps)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/explain', () => {
  it('returns 200 with the queue, the holder of its slot, and the missing worker', async () => {
    await add({ id: 'first', status: 'running', ownerId: 'one' });
    await add({ id: 'second' });
    await add({ id: 'third', queuedAt: new Date('2026-02-02T00:00:00Z') });
    const { status, body } = await get('/dag-runs/nightly/third/explain');

    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        name: 'nightly',
        dagRunId: 'third',
        status: 5,
        statusLabel: 'queued',
        causes: [
          {
            kind: 'queue_full',
            queue: { name: 'nightly', slots: 1, slotsInUse: 1, position: 2 },
            runs: [{ name: 'nightly', dagRunId: 'first', statusLabel: 'running' }],
            otherRuns: 0,
          },
          { kind: 'no_worker' },
        ],
      },
    });
  });

  it('only counts holders that the caller may not see', async () => {
    await add({ id: 'first', status: 'running', ownerId: 'one', workspace: 'sales' });
    await add({ id: 'second', workspace: 'ops' });
    const asOps = await workflow.server.createKey('viewer', { ops: 'viewer' });

    await expect(causesOf('nightly/second/explain', asOps)).resolves.toMatchObject([
      { kind: 'queue_full', runs: [], otherRuns: 1 },
      { kind: 'no_worker' },
    ]);
  });

  it('names the people and child runs that steps wait for', async () => {
    await addWaiting();
    const child = { dagName: 'child', parentId: 'run-1', rootId: 'run-1', depth: 1, parentNode: '2' };
    await add({ id: 'open', status: 'running', ownerId: 'one', ...child });
    await add({ id: 'ended', status: 'succeeded', ...child });

    await expect(causesOf('nightly/latest/explain')).resolves.toMatchObject([
      { kind: 'approval', step: 'review', prompt: 'Good?', role: 'operator' },
      { kind: 'human_task', step: 'ask', prompt: 'Well?', role: 'operator' },
      { kind: 'child_run', step: 'call', runs: [{ name: 'child', dagRunId: 'open' }], otherRuns: 0 },
    ]);
    await expect(kindsOf('nightly/run-1/sub-dag-runs/open/explain')).resolves.toEqual(['owner_lost', 'no_worker']);
  });

  it('returns when the retry of a failed run is due and the causes that prevent it', async () => {
    await add({ status: 'failed', retryAt: new Date('2026-02-02T00:00:00Z'), autoRetryLimit: 2 });
    const { server, asAdmin } = workflow;
    await server.addDag('nightly', 'steps:\n  - run: "true"\n');
    const path = 'POST /dags/nightly/suspend';
    expect(await server.api.send(path, { as: asAdmin, body: { suspend: true } })).toMatchObject({ status: 200 });

    await expect(kindsOf('nightly/run-1/explain')).resolves.toEqual([
      ...['ended', 'retry_due', 'dag_suspended', 'no_scheduler'],
    ]);
  });

  it('explains a step by its name or id', async () => {
    await addWaiting();
    await expect(kindsOf('nightly/run-1/explain?step=last')).resolves.toEqual(['dependency', 'approval', 'human_task']);
    await expect(get('/dag-runs/nightly/run-1/explain?step=rev')).resolves.toMatchObject({
      body: { step: { name: 'review', statusLabel: 'waiting' }, causes: [{ kind: 'approval' }] },
    });
  });

  it('returns 404 for a step that the run does not have, and for a run that the caller may not see', async () => {
    await add({ workspace: 'sales' });
    const asOps = await workflow.server.createKey('viewer', { ops: 'viewer' });

    await expect(get('/dag-runs/nightly/run-1/explain?step=none')).resolves.toMatchObject({
      status: 404,
      body: { reason: 'step_not_found' },
    });
    await expect(get('/dag-runs/nightly/run-1/explain', asOps)).resolves.toMatchObject({ status: 404 });
  });
});
