import { runWeir } from '../../support/weir-command';
import { useDecisions } from './support/use-decisions';

jest.setTimeout(60_000);

const decisions = useDecisions({ ownProcess: true });
const { post, details, inState, waiting, readLog, killAndRestart } = decisions;

describe('POST /dag-runs/{name}/{dagRunId}/human-tasks/{stepId}/complete', () => {
  const complete = (name: string, id: string, step: string, body: unknown) =>
    post(`/dag-runs/${name}/${id}/human-tasks/${step}/complete`, body);

  it('returns 200 and publishes the fields with their defaults', async () => {
    const id = await waiting('task');
    expect(await complete('task', id, 'check', { reason: 'all good', urgent: true })).toMatchObject({
      status: 200,
      body: { dagName: 'task', alreadyCompleted: false, queued: true, remainingWaitingSteps: 0 },
    });
    const run = await inState('task', id, 'succeeded');
    expect(await readLog('task', id, 'deploy')).toBe('10 all good true');
    expect(run.nodes[0]?.humanTaskCompletedBy).toBe('ada');
    const outputs = await decisions.weir.request('GET', `/dag-runs/task/${id}/outputs`, { token: decisions.admin });
    expect(outputs.body).toMatchObject({
      metadata: { dagName: 'task', status: 'succeeded' },
      outputs: { percent: '10', reason: 'all good', urgent: 'true' },
    });
  });

  it('returns 200 for the same answer again, and 409 for another one', async () => {
    const id = await waiting('task');
    const answer = { reason: 'ok', percent: 5 };
    expect((await complete('task', id, 'check', answer)).status).toBe(200);
    expect(await complete('task', id, 'check', answer)).toMatchObject({
      status: 200,
      body: { alreadyCompleted: true, queued: false },
    });
    expect(await complete('task', id, 'check', { reason: 'no' })).toMatchObject({
      status: 409,
      body: { reason: 'human_task_completed' },
    });
  });

  it.each([
    ['a required field is missing', {}],
    ['a number is out of range', { reason: 'x', percent: 0 }],
    ['a type is wrong', { reason: 'x', percent: 'ten' }],
    ['a string is too long', { reason: 'x'.repeat(21) }],
    ['a field is not in the form', { reason: 'x', other: 1 }],
  ])('returns 400 when %s', async (_, body) => {
    const id = await waiting('task');
    expect(await complete('task', id, 'check', body)).toMatchObject({
      status: 400,
      body: { reason: 'human_task_answer_invalid' },
    });
    expect((await post(`/dag-runs/task/${id}/stop`)).status).toBe(200);
  });

  it('returns 404 for a step that is not a task, and 409 for a task of a stopped run', async () => {
    const id = await waiting('ack');
    expect((await complete('ack', id, 'after', {})).status).toBe(404);
    await post(`/dag-runs/ack/${id}/stop`);
    expect((await complete('ack', id, 'seen', {})).status).toBe(409);
  });

  it('asks with references replaced, and waits for each of several tasks', async () => {
    const id = await waiting('asked');
    const task = (await details('asked', id)).nodes.find(({ step }) => step.id === 'confirm')?.step.executorConfig;
    expect(task?.config).toMatchObject({
      prompt: 'Deploy 3 changes to shop?',
      form: { properties: { host: { default: 'shop.example.org', title: 'Host of shop', pattern: '^[a-z.]+$' } } },
    });

    expect(await complete('asked', id, 'confirm', { notes: { by: ['ada'] } })).toMatchObject({
      status: 200,
      body: { remainingWaitingSteps: 1 },
    });
    await inState('asked', id, 'waiting');
    expect(await complete('asked', id, 'sign', {})).toMatchObject({ status: 200, body: { remainingWaitingSteps: 0 } });
    await inState('asked', id, 'succeeded');
    const outputs = await decisions.weir.request('GET', `/dag-runs/asked/${id}/outputs`, { token: decisions.admin });
    expect(outputs.body).toMatchObject({ outputs: { host: 'shop.example.org', notes: '{"by":["ada"]}' } });
  });

  it('asks in a DAG of the same file, whose caller waits', async () => {
    const id = await waiting('asking');
    const { subRuns } = await decisions.weir
      .createClient(decisions.admin)
      .getSubDagRuns({ params: { name: 'asking', dagRunId: id } });
    expect(subRuns).toMatchObject([{ dagName: 'asked-below', statusLabel: 'waiting' }]);
    const { stdout, stderr, code } = await runWeir(
      [
        'human-task',
        'complete',
        '--run-id',
        subRuns[0]?.dagRunId ?? '',
        '--step',
        'ask',
        '--input',
        'reason=because',
        'asked-below',
      ],
      { home: decisions.weir.home },
    );
    expect({ stdout, stderr, code }).toMatchObject({ code: 0 });
    await inState('asking', id, 'succeeded');
    expect(await readLog('asking', id, 'last')).toBe('because');
  });

  it('returns 413 for an answer that exceeds the limit of outputs', async () => {
    const id = await waiting('asked');
    expect(
      await complete('asked', id, 'confirm', { notes: 'x'.repeat(600_000), more: 'x'.repeat(600_000) }),
    ).toMatchObject({
      status: 413,
    });
    expect((await post(`/dag-runs/asked/${id}/stop`)).status).toBe(200);
  });

  it('accepts an empty object without a form', async () => {
    const id = await waiting('ack');
    expect((await complete('ack', id, 'seen', { more: 'x' })).status).toBe(400);
    expect((await complete('ack', id, 'seen', {})).status).toBe(200);
    await inState('ack', id, 'succeeded');
  });

  it('works after the server was killed while the run waited', async () => {
    const id = await waiting('task');
    await killAndRestart();
    expect((await details('task', id)).statusLabel).toBe('waiting');
    expect((await complete('task', id, 'check', { reason: 'late', urgent: true })).status).toBe(200);
    await inState('task', id, 'succeeded');
    expect(await readLog('task', id, 'deploy')).toBe('10 late true');
  });
});
