import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import type { DagRunDetails, Node } from '@weir/workflow-contract';
import { aUser, setUpAdmin } from '../support/people';
import { runWeir } from '../support/weir-command';
import { startWeir, type Weir } from '../support/weir-server';

jest.setTimeout(60_000);

const dags = {
  gate: `handler_on:
  wait: {run: 'echo "$DAG_WAITING_STEPS"'}
  failure: {run: 'echo "handler: $DAG_RUN_STATUS"'}
  exit: {run: "true"}
steps:
  - name: draft
    run: 'echo draft'
  - name: review
    run: 'echo looked'
    depends: draft
    approval: {prompt: Publish it?, input: [COMMENT, WHO], required: [COMMENT]}
  - name: publish
    run: 'echo "published: $COMMENT by \${WHO:-nobody}, \${EXTRA:-nothing else}"'
    depends: review
`,
  sent: `steps:
  - name: before
    run: 'echo one >> "$DAG_RUN_WORK_DIR/befores"; wc -l < "$DAG_RUN_WORK_DIR/befores"'
  - name: draft
    run: 'echo "draft \${DAG_PUSHBACK_ITERATION:-0} \${FEEDBACK:-none} $(cat "\${DAG_PUSHBACK_PREVIOUS_STDOUT_FILE:-/dev/null}")"'
    depends: before
  - name: review
    run: 'echo "review \${FEEDBACK:-none}"'
    depends: draft
    approval: {input: [FEEDBACK], required: [FEEDBACK], rewind_to: draft}
  - name: publish
    run: 'echo "after \${FEEDBACK:-none}"'
    depends: review
`,
  two: `type: graph
steps:
  - {name: left, run: "true", approval: {}}
  - {name: right, run: "true", approval: {}}
  - {name: after-left, run: "true", depends: left}
  - {name: last, run: "true", depends: [left, right]}
`,
  busy: `type: graph
steps:
  - {name: quick, run: "true", approval: {}}
  - {name: slow, run: 'touch at-work; until test -e go; do sleep 0.05; done'}
  - {name: last, run: "true", depends: [quick, slow]}
`,
  parent: `steps:
  - {name: call, action: dag.run, with: {dag: child}}
  - {name: last, run: "true", depends: call}
---
name: child
steps:
  - {name: inner, run: "true", approval: {}}
  - {name: end, run: "echo done", depends: inner}
`,
  checked: `steps:
  - {name: call, action: dag.run, with: {dag: small}, approval: {}}
  - {name: last, run: "true", depends: call}
---
name: small
steps:
  - {run: "true"}
`,
  task: `steps:
  - id: check
    action: human.task
    with:
      prompt: |
        May it
        go out?
      form:
        properties:
          percent: {type: integer, minimum: 1, maximum: 100, default: 10}
          reason: {type: string, maxLength: 20}
          urgent: {type: boolean}
        required: [reason]
  - name: deploy
    depends: check
    run: 'echo "\${steps.check.outputs.percent} \${steps.check.outputs.reason} \${steps.check.outputs.urgent}"'
`,
  ack: 'steps:\n  - {id: seen, action: human.task, with: {prompt: Seen?}}\n  - {name: after, run: "true", depends: seen}\n',
};

let weir: Weir;
let admin: string;
let ids = 0;

beforeAll(async () => {
  const home = temporaryFolder();
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  for (const [name, text] of Object.entries(dags)) await writeFile(home.file('weir', 'dags', `${name}.yaml`), text);
  weir = await startWeir({ home, env: { WEIR_SKIP_EXAMPLES: 'true' } });
  admin = await setUpAdmin(weir);
}, 60_000);

afterAll(() => weir.dispose());

const command = (...args: readonly string[]) => runWeir(args, { home: weir.home });
const post = (path: string, body?: unknown, token: string = admin) =>
  weir.request('POST', path, { token, ...(body === undefined ? {} : { body }) });
const details = async (name: string, dagRunId: string): Promise<DagRunDetails> =>
  (await weir.createClient(admin).getDagRunDetails({ params: { name, dagRunId } })).dagRunDetails;

function inState(name: string, dagRunId: string, label: string): Promise<DagRunDetails> {
  return waitFor(
    async () => {
      const run = await details(name, dagRunId);
      return run.statusLabel === label ? run : undefined;
    },
    { deadlineMs: 30_000, what: `the run ${dagRunId} of ${name} to be ${label}` },
  );
}

/** Starts a run and waits until it waits for a person. */
async function waiting(name: string): Promise<string> {
  const dagRunId = `run-${(ids += 1)}`;
  expect((await post(`/dags/${name}/start`, { dagRunId })).status).toBe(200);
  await inState(name, dagRunId, 'waiting');
  return dagRunId;
}

async function readLog(name: string, dagRunId: string, step: string): Promise<string> {
  const answer = await weir.request('GET', `/dag-runs/${name}/${dagRunId}/steps/${step}/log`, { token: admin });
  return (answer.body as { content: string }).content.trim();
}

const findNode = (run: DagRunDetails, name: string): Node | undefined =>
  run.nodes.find(({ step }) => step.name === name);
const states = (run: DagRunDetails): readonly string[] => run.nodes.map(({ statusLabel }) => statusLabel);

/** Lets the slow step of `busy` end. */
async function goOn(dagRunId: string): Promise<void> {
  const folder = weir.home.file('weir', 'data', 'work', 'busy');
  // The working folder of a run ends in its id.
  const found = (await readdir(folder)).find((name) => name.endsWith(`_${dagRunId}`)) ?? '';
  await writeFile(path.join(folder, found, 'go'), '');
}

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

  it('returns 400 for a step that does not wait, and for one that was approved', async () => {
    const id = await waiting('gate');
    const inputs = { COMMENT: 'yes' };
    expect((await approve('gate', id, 'draft', { inputs })).status).toBe(400);
    expect((await approve('gate', id, 'review', { inputs })).status).toBe(200);
    expect(await approve('gate', id, 'review', { inputs })).toMatchObject({
      status: 400,
      body: { reason: 'step_not_waiting' },
    });
  });

  it('returns 403 for a viewer, and 404 for a run or a step that is not there', async () => {
    const id = await waiting('gate');
    const { token } = await aUser(weir, admin, 'viewer', 'only-looks');
    expect((await approve('gate', id, 'review', { inputs: { COMMENT: 'x' } }, token)).status).toBe(403);
    expect((await approve('gate', id, 'nobody')).status).toBe(404);
    expect((await approve('gate', 'nobody', 'review')).status).toBe(404);
  });

  it('settles one of two gates: what depends on it runs, and the run waits again', async () => {
    const id = await waiting('two');
    expect((await approve('two', id, 'left')).status).toBe(200);
    await waitFor(async () => findNode(await details('two', id), 'after-left')?.statusLabel === 'succeeded', {
      what: 'what depends on the first gate',
    });
    expect(states(await inState('two', id, 'waiting'))).toEqual(['succeeded', 'waiting', 'succeeded', 'not_started']);
    expect((await approve('two', id, 'right')).status).toBe(200);
    expect(states(await inState('two', id, 'succeeded'))).toEqual(Array(4).fill('succeeded'));
  });

  it('takes both gates at once', async () => {
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
    const { subRuns } = await weir.createClient(admin).getSubDagRuns({ params: { name: 'parent', dagRunId: id } });
    expect(subRuns).toMatchObject([{ dagName: 'child', statusLabel: 'waiting' }]);
    const below = `/dag-runs/parent/${id}/sub-dag-runs/${subRuns[0]?.dagRunId}`;
    expect((await approve('parent', id, 'call')).status).toBe(400);
    expect((await post(`${below}/steps/inner/approve`)).status).toBe(200);

    const run = await inState('parent', id, 'succeeded');
    expect(findNode(run, 'call')?.subRuns).toMatchObject([{ dagName: 'child' }]);
    const child = await weir.request('GET', below, { token: admin });
    expect(child.body).toMatchObject({
      dagRunDetails: { statusLabel: 'succeeded', rootDAGRunId: id, parentDAGRunName: 'parent', parentDAGRunId: id },
    });
    const log = await weir.request('GET', `${below}/steps/end/log`, { token: admin });
    expect(log.body).toMatchObject({ content: 'done' });
    expect((await weir.request('GET', `${below}/log`, { token: admin })).status).toBe(200);
  });

  it('is allowed at a step that runs another DAG', async () => {
    const id = await waiting('checked');
    expect((await approve('checked', id, 'call')).status).toBe(200);
    await inState('checked', id, 'succeeded');
  });
});

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

  it('returns 200, and the work is done again from rewind_to on, with what was said', async () => {
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
    const { subRuns } = await weir.createClient(admin).getSubDagRuns({ params: { name: 'parent', dagRunId: id } });
    expect(subRuns).toMatchObject([{ statusLabel: 'aborted' }]);
  });
});

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
    const outputs = await weir.request('GET', `/dag-runs/task/${id}/outputs`, { token: admin });
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

  it('returns 404 for a step that is no task, and 409 for a task of a run that was stopped', async () => {
    const id = await waiting('ack');
    expect((await complete('ack', id, 'after', {})).status).toBe(404);
    await post(`/dag-runs/ack/${id}/stop`);
    expect((await complete('ack', id, 'seen', {})).status).toBe(409);
  });

  it('takes an empty object where there is no form', async () => {
    const id = await waiting('ack');
    expect((await complete('ack', id, 'seen', { more: 'x' })).status).toBe(400);
    expect((await complete('ack', id, 'seen', {})).status).toBe(200);
    await inState('ack', id, 'succeeded');
  });

  it('works after the server was killed while the run waited', async () => {
    const id = await waiting('task');
    await weir.process.stop({ signal: 'SIGKILL' });
    weir = await weir.restart();
    expect((await details('task', id)).statusLabel).toBe('waiting');
    expect((await complete('task', id, 'check', { reason: 'late', urgent: true })).status).toBe(200);
    await inState('task', id, 'succeeded');
    expect(await readLog('task', id, 'deploy')).toBe('10 late true');
  });
});

describe('the command line', () => {
  it('shows prompts, and reads fields by their types', async () => {
    const { code, stdout } = await command('start', 'task', '--run-id', 'by-hand');
    expect(code).toBe(0);
    expect(stdout).toMatch(/ {2}check: waiting\ntask by-hand: waiting\n$/);
    const status = await command('status', 'task', '--run-id', 'by-hand');
    const lines = status.stdout.trim().split('\n');
    expect(lines[0]).toBe('waiting');
    expect(lines).toContain('step id: check');
    expect(lines).toContain('prompt: May it go out?');
    expect(lines.find((line) => line.startsWith('form: '))).toContain('"percent":{"type":"integer"');

    const complete = (...flags: readonly string[]) =>
      command('human-task', 'complete', '--run-id', 'by-hand', '--step', 'check', ...flags);
    const wrong = await complete('--input', 'reason=x', '--input', 'percent=500');
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'weir: The answer does not match the form: /percent must be <= 100\n',
    ]);
    const fields = ['--input', 'reason=a=b', '--input', 'percent=50', '--input', 'urgent=false'];
    expect(await complete(...fields)).toMatchObject({ code: 0, stderr: '' });
    expect((await complete('--inputs-json', '{"reason":"a=b","percent":50,"urgent":false}')).stdout).toContain(
      'was completed before',
    );
    await inState('task', 'by-hand', 'succeeded');
    expect(await readLog('task', 'by-hand', 'deploy')).toBe('50 a=b false');
  });

  it('approves, rejects and sends back', async () => {
    const id = await waiting('sent');
    const approval = (...args: readonly string[]) => command('approval', ...args, '--run-id', id, '--step', 'review');
    expect((await approval('push-back', '--input', 'FEEDBACK=more')).code).toBe(0);
    await waitFor(async () => (await details('sent', id)).nodes[1]?.approvalIteration === 1, { what: 'the push-back' });
    await inState('sent', id, 'waiting');
    expect(await approval('approve')).toMatchObject({ code: 1, stderr: expect.stringContaining('FEEDBACK') as string });
    expect(await approval('reject', 'sent', '--reason', 'no')).toMatchObject({ code: 0 });
    expect((await inState('sent', id, 'rejected')).nodes[2]?.error).toBe('rejected: no');
  });

  it('works without a server: the run is queued for the next one', async () => {
    const home = temporaryFolder();
    await writeFile(home.file('task.yaml'), dags.task);
    const weirAt = (...args: readonly string[]) => runWeir(args, { home });
    expect((await weirAt('start', 'task.yaml', '--run-id', 'alone')).code).toBe(0);
    const flags = ['--run-id', 'alone', '--step', 'check', '--input', 'reason=x', '--input', 'urgent=true'];
    expect((await weirAt('human-task', 'complete', ...flags)).stdout).toContain('queued');
    expect((await weirAt('status', 'task', '--run-id', 'alone')).stdout).toMatch(/^queued\n/);
    const server = await startWeir({ home, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    await waitFor(async () => (await weirAt('status', 'task', '--run-id', 'alone')).stdout.startsWith('succeeded\n'), {
      deadlineMs: 30_000,
      what: 'the run to succeed',
    });
    await server.dispose();
  });

  it('reaches a start in the foreground, which then continues', async () => {
    const home = temporaryFolder();
    await writeFile(home.file('busy.yaml'), `working_dir: ${home.path}\n${dags.busy}`);
    const weirAt = (...args: readonly string[]) => runWeir(args, { home });
    const foreground = weirAt('start', 'busy.yaml', '--run-id', 'front');
    // Before that, this process might have the database in its place.
    await waitFor(() => existsSync(home.file('at-work')), { deadlineMs: 30_000, what: 'the step to be at work' });
    const approve = () => weirAt('approval', 'approve', 'busy', '--run-id', 'front', '--step', 'quick');
    await waitFor(async () => (await approve()).code === 0, { deadlineMs: 30_000, what: 'the step to wait' });
    await writeFile(home.file('go'), '');
    const { code, stdout } = await foreground;
    expect(code).toBe(0);
    expect(stdout).toMatch(/ {2}last: succeeded .*\nbusy front: succeeded/);
    await home.remove();
  });
});
