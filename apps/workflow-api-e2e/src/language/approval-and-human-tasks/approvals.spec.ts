import { waitFor } from '@weir/test-kit';
import { aUser } from '../../support/people';
import { findNode, states, useDecisions } from './support/use-decisions';

jest.setTimeout(60_000);

const decisions = useDecisions();
const { post, details, inState, waiting, readLog, goOn } = decisions;

describe('POST /dag-runs/{name}/{dagRunId}/steps/{stepName}/approve', () => {
  const approve = (name: string, id: string, step: string, body?: unknown, token?: string) =>
    post(`/dag-runs/${name}/${id}/steps/${step}/approve`, body, token);

  it('returns 200, the run continues, and the inputs are in the environment of later steps', async () => {
    const id = await waiting('gate');
    expect(await details('gate', id)).toMatchObject({ finishedAt: '', onWait: { statusLabel: 'succeeded' } });
    const answer = await approve('gate', id, 'review', { inputs: { COMMENT: 'fine', EXTRA: 'x' } });
    expect(answer).toMatchObject({ status: 200, body: { dagRunId: id, stepName: 'review', resumed: true } });

    const run = await inState('gate', id, 'succeeded');
    expect(await readLog('gate', id, 'publish')).toBe('published: fine by nobody, nothing else');
    expect(findNode(run, 'review')).toMatchObject({ approvedBy: 'ada', approvalInputs: { comment: 'fine' } });
    expect(run).toMatchObject({ onExit: { statusLabel: 'succeeded' }, onFailure: { statusLabel: 'not_started' } });
  });

  it('returns 400 while a required value is missing or blank', async () => {
    const id = await waiting('gate');
    for (const body of [undefined, {}, { inputs: { WHO: 'me' } }, { inputs: { COMMENT: ' ' } }]) {
      expect(await approve('gate', id, 'review', body)).toMatchObject({
        status: 400,
        body: { reason: 'approval_inputs_missing', details: { missing: ['COMMENT'] } },
      });
    }
    expect((await details('gate', id)).statusLabel).toBe('waiting');
  });

  it('returns 400 for a step that does not wait, and for an approved one', async () => {
    const id = await waiting('gate');
    const inputs = { COMMENT: 'yes' };
    expect((await approve('gate', id, 'draft', { inputs })).status).toBe(400);
    expect((await approve('gate', id, 'review', { inputs })).status).toBe(200);
    expect(await approve('gate', id, 'review', { inputs })).toMatchObject({
      status: 400,
      body: { reason: 'step_not_waiting' },
    });
  });

  it('returns 403 for a viewer, and 404 for an unknown run or step', async () => {
    const id = await waiting('gate');
    const { token } = await aUser(decisions.weir, decisions.admin, 'viewer', 'only-looks');
    expect((await approve('gate', id, 'review', { inputs: { COMMENT: 'x' } }, token)).status).toBe(403);
    expect((await approve('gate', id, 'nobody')).status).toBe(404);
    expect((await approve('gate', 'nobody', 'review')).status).toBe(404);
  });

  it('settles one of two gates: its dependents run, and the run waits again', async () => {
    const id = await waiting('two');
    expect((await approve('two', id, 'left')).status).toBe(200);
    await waitFor(async () => findNode(await details('two', id), 'after-left')?.statusLabel === 'succeeded', {
      what: 'what depends on the first gate',
    });
    expect(states(await inState('two', id, 'waiting'))).toEqual(['succeeded', 'waiting', 'succeeded', 'not_started']);
    expect((await approve('two', id, 'right')).status).toBe(200);
    expect(states(await inState('two', id, 'succeeded'))).toEqual(Array(4).fill('succeeded'));
  });

  it('settles both gates at once', async () => {
    const id = await waiting('two');
    const answers = await Promise.all([approve('two', id, 'left'), approve('two', id, 'right')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await inState('two', id, 'succeeded');
  });

  it('is stored while other steps are running', async () => {
    const dagRunId = 'at-work';
    await post('/dags/busy/start', { dagRunId });
    await waitFor(async () => states(await details('busy', dagRunId))[0] === 'waiting', { what: 'the gate' });
    expect(await approve('busy', dagRunId, 'quick')).toMatchObject({ status: 200, body: { resumed: false } });
    await goOn(dagRunId);
    expect(states(await inState('busy', dagRunId, 'succeeded'))).toEqual(Array(3).fill('succeeded'));
  });

  it('lets the parent run continue after a step of a child run', async () => {
    const id = await waiting('parent');
    const { subRuns } = await decisions.weir
      .createClient(decisions.admin)
      .getSubDagRuns({ params: { name: 'parent', dagRunId: id } });
    expect(subRuns).toMatchObject([{ dagName: 'child', statusLabel: 'waiting' }]);
    const below = `/dag-runs/parent/${id}/sub-dag-runs/${subRuns[0]?.dagRunId}`;
    expect((await approve('parent', id, 'call')).status).toBe(400);
    expect((await post(`${below}/steps/inner/approve`)).status).toBe(200);

    const run = await inState('parent', id, 'succeeded');
    expect(findNode(run, 'call')?.subRuns).toMatchObject([{ dagName: 'child' }]);
    const child = await decisions.weir.request('GET', below, { token: decisions.admin });
    expect(child.body).toMatchObject({
      dagRunDetails: { statusLabel: 'succeeded', rootDAGRunId: id, parentDAGRunName: 'parent', parentDAGRunId: id },
    });
    const log = await decisions.weir.request('GET', `${below}/steps/end/log`, { token: decisions.admin });
    expect(log.body).toMatchObject({ content: 'done' });
    expect((await decisions.weir.request('GET', `${below}/log`, { token: decisions.admin })).status).toBe(200);
  });

  it('is allowed at a step that runs another DAG', async () => {
    const id = await waiting('checked');
    expect((await approve('checked', id, 'call')).status).toBe(200);
    await inState('checked', id, 'succeeded');
  });
});
