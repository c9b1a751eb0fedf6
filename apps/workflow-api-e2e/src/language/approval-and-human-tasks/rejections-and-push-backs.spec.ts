import { waitFor } from '@weir/test-kit';
import { findNode, states, useDecisions } from './support/use-decisions';

jest.setTimeout(60_000);

const decisions = useDecisions();
const { post, details, inState, waiting, readLog, goOn } = decisions;

describe('POST /dag-runs/{name}/{dagRunId}/steps/{stepName}/reject', () => {
  const reject = (name: string, id: string, step: string, body?: unknown) =>
    post(`/dag-runs/${name}/${id}/steps/${step}/reject`, body);

  it('returns 200, the run ends rejected, and the failure handler is executed', async () => {
    const id = await waiting('gate');
    expect((await reject('gate', id, 'review', { reason: 'too salty' })).status).toBe(200);

    const run = await inState('gate', id, 'rejected');
    expect(run.status).toBe(8);
    expect(states(run)).toEqual(['succeeded', 'rejected', 'aborted']);
    expect(findNode(run, 'review')).toMatchObject({ rejectedBy: 'ada', rejectionReason: 'too salty' });
    expect(run).toMatchObject({ onFailure: { statusLabel: 'succeeded' }, onExit: { statusLabel: 'succeeded' } });
    expect(await readLog('gate', id, run.onFailure?.step.name ?? '')).toBe('handler: rejected');
  });

  it('returns 400 for a step that does not wait', async () => {
    const id = await waiting('gate');
    expect((await reject('gate', id, 'publish')).status).toBe(400);
  });
});

describe('POST /dag-runs/{name}/{dagRunId}/steps/{stepName}/push-back', () => {
  const pushBack = (name: string, id: string, step: string, body?: unknown) =>
    post(`/dag-runs/${name}/${id}/steps/${step}/push-back`, body);

  it('returns 200, and the steps from rewind_to on are executed again, with the inputs', async () => {
    const id = await waiting('sent');
    expect(await pushBack('sent', id, 'review', { inputs: { FEEDBACK: 'shorter', NO: 'x' } })).toMatchObject({
      status: 200,
      body: { approvalIteration: 1, resumed: true },
    });
    await inState('sent', id, 'waiting');
    expect(await readLog('sent', id, 'before')).toBe('1');
    expect(await readLog('sent', id, 'draft')).toBe('draft 1 shorter draft 0 none');
    expect(await readLog('sent', id, 'review')).toBe('review shorter');

    expect((await pushBack('sent', id, 'review', { inputs: { FEEDBACK: 'again' } })).status).toBe(200);
    const run = await inState('sent', id, 'waiting');
    expect(await readLog('sent', id, 'draft')).toBe('draft 2 again draft 1 shorter draft 0 none');
    expect(findNode(run, 'review')).toMatchObject({
      approvalIteration: 2,
      pushBackInputs: { feedback: 'again' },
      pushBackHistory: [
        { iteration: 1, by: 'ada', inputs: { FEEDBACK: 'shorter' } },
        { iteration: 2, by: 'ada', inputs: { FEEDBACK: 'again' } },
      ],
    });
    await post(`/dag-runs/sent/${id}/steps/review/approve`, { inputs: { FEEDBACK: 'good' } });
    await inState('sent', id, 'succeeded');
    expect(await readLog('sent', id, 'publish')).toBe('after good');
  });

  it('returns from a human task to a step before it, which reads the comment', async () => {
    const id = await waiting('reviewed');
    expect(await pushBack('reviewed', id, 'check', { comment: 'mind the totals' })).toMatchObject({
      status: 200,
      body: { approvalIteration: 1, resumed: true },
    });
    const run = await inState('reviewed', id, 'waiting');
    expect(await readLog('reviewed', id, 'write')).toBe('mind the totals mind the totals');
    expect(findNode(run, 'check')).toMatchObject({
      statusLabel: 'waiting',
      pushBackHistory: [{ iteration: 1, by: 'ada', comment: 'mind the totals' }],
    });
    expect((await pushBack('reviewed', id, 'check', { rewindTo: 'publish' })).body).toMatchObject({
      reason: 'rewind_not_upstream',
    });
    const name = 'reviewed';
    await post(`/dag-runs/${name}/${id}/human-tasks/check/complete`, { ok: true });
    await inState(name, id, 'succeeded');
  });

  it('returns 200, and the steps after it read the new output of a step that is executed again', async () => {
    const spec = `type: chain
steps:
  - {id: write, run: 'echo "text $COMMENT"', output: TEXT}
  - {id: check, run: 'true', approval: {prompt: Good?, input: [COMMENT], rewind_to: write}}
  - {id: print, run: 'echo "got \${TEXT}"'}
`;
    expect((await post('/dags', { name: 'read-again', spec })).status).toBe(201);
    const id = await waiting('read-again');
    expect((await pushBack('read-again', id, 'check', { inputs: { COMMENT: 'b' } })).status).toBe(200);
    await inState('read-again', id, 'waiting');
    await post(`/dag-runs/read-again/${id}/steps/check/approve`, { inputs: { COMMENT: 'b' } });
    await inState('read-again', id, 'succeeded');

    expect(await readLog('read-again', id, 'print')).toMatch(/^got text b$/);
  });

  it('returns 400 without a required value', async () => {
    expect((await pushBack('sent', await waiting('sent'), 'review')).status).toBe(400);
  });

  it('returns 409 while other steps are running', async () => {
    const dagRunId = 'at-work-too';
    await post('/dags/busy/start', { dagRunId });
    await waitFor(async () => states(await details('busy', dagRunId))[0] === 'waiting', { what: 'the gate' });
    expect(await pushBack('busy', dagRunId, 'quick')).toMatchObject({
      status: 409,
      body: { reason: 'dag_run_active' },
    });
    await goOn(dagRunId);
    await inState('busy', dagRunId, 'waiting');
    expect((await pushBack('busy', dagRunId, 'quick')).status).toBe(200);
    await inState('busy', dagRunId, 'waiting');
    expect((await post(`/dag-runs/busy/${dagRunId}/stop`)).status).toBe(200);
  });
});

describe('stopping', () => {
  it('a waiting run aborts it and the run that its step waits for', async () => {
    const id = await waiting('parent');
    expect((await post(`/dag-runs/parent/${id}/stop`)).status).toBe(200);
    await inState('parent', id, 'aborted');
    const { subRuns } = await decisions.weir
      .createClient(decisions.admin)
      .getSubDagRuns({ params: { name: 'parent', dagRunId: id } });
    expect(subRuns).toMatchObject([{ statusLabel: 'aborted' }]);
  });
});
