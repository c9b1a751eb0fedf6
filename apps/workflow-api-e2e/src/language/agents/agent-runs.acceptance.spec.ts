import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { spawnProcess, startModelServer, waitFor, type ModelServer, type SpawnedProcess } from '@weir/test-kit';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import { program, startWeir, type Weir } from '../../support/weir-server';

const deadline = { deadlineMs: 60_000 };

let weir: Weir;
let token: string;
let model: ModelServer;
let worker: SpawnedProcess | undefined;

beforeAll(async () => {
  model = await startModelServer();
  weir = await startWeir({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: 'off' } });
  token = await setUpAdmin(weir);
}, 120_000);
afterAll(async () => {
  await worker?.stop({ signal: 'SIGKILL' });
  await weir.dispose();
  await model.stop();
});

const call = (name: string, given: unknown = {}) => ({ calls: [{ name, arguments: given }] });
const settle = (status: string) => call('set_task_status', { task: 'report', status, reason: 'as asked' });
const specOf = (steps: string): string => `type: agent
llm: {provider: local, base_url: "${model.baseUrl}", model: small}
tasks: [{name: report, description: The report is there.}]
steps:
${steps}`;

async function start(name: string, spec: string): Promise<string> {
  const client = weir.createClient(token);
  await client.createNewDag({ body: { name, spec } });
  return (await client.executeDag({ params: { fileName: name }, body: {} })).dagRunId;
}
const details = async (name: string, dagRunId: string) =>
  (await weir.createClient(token).getDagRunDetails({ params: { name, dagRunId } })).dagRunDetails;
const linesOf = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);
const restart = async (): Promise<void> => {
  await weir.process.stop({ signal: 'SIGKILL' });
  weir = await weir.restart({ ownProcess: true });
};
/** What the model was told in its last turn. */
const told = (): string => {
  const messages = model.calls.at(-1)?.body.messages as readonly { readonly content: string }[] | undefined;
  return messages?.at(-1)?.content ?? '';
};
const held = () => waitFor(() => model.heldCount() > 0 || undefined, { what: 'a question to be held', ...deadline });

/** The id of the open question of a run, which is a child run of it. */
const questionOf = (name: string, dagRunId: string): Promise<string> =>
  waitFor(
    async () => {
      const found = await details(name, dagRunId);
      return found.statusLabel === 'waiting' ? found.nodes[0]?.subRuns?.at(-1)?.dagRunId : undefined;
    },
    { what: 'the run to wait', ...deadline },
  );

async function answer(name: string, dagRunId: string, text: string): Promise<void> {
  const child = await questionOf(name, dagRunId);
  const path = `/dag-runs/__ask_user__/${child}/human-tasks/answer/complete`;
  const { status, body } = await weir.request('POST', path, { token, body: { answer: text } });
  expect({ status, body }).toMatchObject({ status: 200 });
}

describe('an agent whose server is killed', () => {
  it('does not repeat an action that has ended, and asks again only for the decision that was not stored', async () => {
    const file = weir.home.file('ended');
    model.script(call('write'), { ...settle('failed'), isHeld: true });
    const dagRunId = await start('ended', specOf(`  - {name: write, run: "echo x >> ${file}", output: OUT}\n`));
    await held();
    const before = model.calls.length;
    model.script(settle('completed'));
    await restart();
    const run = await endOfRun(weir, token, 'ended', dagRunId);

    expect(run.statusLabel).toBe('succeeded');
    expect([linesOf(file), model.calls.length - before]).toEqual([1, 1]);
    expect(JSON.parse(told())).toMatchObject({ status: 'succeeded' });
  }, 120_000);

  it('carries on the decision that was stored, and tells the model of an action that was cut off', async () => {
    const file = weir.home.file('cut');
    const before = model.calls.length;
    model.script(call('write'), settle('skipped'));
    const dagRunId = await start('cut', specOf(`  - {name: write, run: "echo x >> ${file}; sleep 600"}\n`));
    await waitFor(() => linesOf(file) === 1 || undefined, { what: 'the step to begin', ...deadline });
    await restart();
    const run = await endOfRun(weir, token, 'cut', dagRunId);

    expect(run.statusLabel).toBe('partially_succeeded');
    expect([linesOf(file), model.calls.length - before]).toEqual([1, 2]);
    expect(told()).toContain('owner lost');
  }, 120_000);
});

describe('the decisions of an agent', () => {
  it('are shown with the step, whose actions have logs of their own', async () => {
    model.script({ ...call('look'), text: 'I look first.' }, call('nothing'), call('ask_user', { question: 'Now?' }));
    const dagRunId = await start('shown', specOf('  - {name: look, run: echo seen}\n'));
    model.script(settle('completed'));
    await answer('shown', dagRunId, 'yes');
    const run = await endOfRun(weir, token, 'shown', dagRunId);

    expect(told()).toBe('The answer: yes');
    expect(run.nodes).toMatchObject([
      {
        step: { name: '__agent__', executorConfig: { type: 'agent', config: { steps: ['look'] } } },
        agent: {
          tasks: [{ name: 'report', status: 'completed', reason: 'as asked' }],
          decisions: [
            { number: 0, kind: 'action', model: 'small', text: 'I look first.', step: 'look', status: 'succeeded' },
            { number: 1, kind: 'rejected', reason: 'There is no tool nothing.' },
            { number: 2, kind: 'ask_user', question: 'Now?', answer: 'yes', status: 'succeeded' },
            { number: 3, kind: 'task_status', task: 'report', taskStatus: 'completed' },
          ],
        },
      },
    ]);
    const [decision] = run.nodes[0]?.agent?.decisions ?? [];
    expect(decision?.logs).toBe('__agent__/0/look');
    const { body } = await weir.request(
      'GET',
      `/dag-runs/shown/${dagRunId}/steps/${encodeURIComponent(decision?.logs ?? '')}/log`,
      { token },
    );
    expect(body).toMatchObject({ content: 'seen' });
  }, 120_000);
});

describe('a question of an agent', () => {
  it('is among the open decisions, and ends with its run', async () => {
    model.script(call('ask_user', { question: 'Which report?' }));
    const dagRunId = await start('asking', specOf('  - {name: look, run: echo seen}\n'));
    const child = await questionOf('asking', dagRunId);
    const client = weir.createClient(token);

    expect((await client.listOpenDecisions({ query: {} })).items).toMatchObject([
      { kind: 'human_task', name: 'asking', subDAGRunId: child, prompt: 'Which report?', mayDecide: true },
    ]);
    await client.terminateDagRun({ params: { name: 'asking', dagRunId } });
    expect((await endOfRun(weir, token, 'asking', dagRunId)).statusLabel).toBe('aborted');
    expect((await endOfRun(weir, token, '__ask_user__', child)).statusLabel).toBe('aborted');
  }, 120_000);
});

describe('an agent on a worker without a database', () => {
  it('executes, asks a person, and goes on', async () => {
    const created = await weir.request('POST', '/worker-tokens', {
      token,
      body: { name: 'far', labels: { site: 'far' } },
    });
    const folder = weir.home.file('far');
    mkdirSync(folder);
    worker = await spawnProcess({
      command: process.execPath,
      args: [program, 'worker'],
      env: {
        HOME: folder,
        WEIR_HOME: folder,
        WEIR_STEP_ISOLATION: 'off',
        WEIR_SERVER_URL: new URL(weir.baseUrl).origin,
        WEIR_WORKER_TOKEN: (created.body as { readonly token: string }).token,
      },
    });
    await worker.waitForOutput('Weir executes queued runs of', 30_000);
    model.script(call('look'), call('ask_user', { question: 'Now?' }), settle('completed'));
    const steps = '  - {name: look, run: "echo $HOME", output: SEEN}\n';
    const dagRunId = await start('far', `worker_selector: {site: far}\n${specOf(steps)}`);
    await answer('far', dagRunId, 'yes');
    const run = await endOfRun(weir, token, 'far', dagRunId);

    expect(run.statusLabel).toBe('succeeded');
    expect(told()).toBe('The answer: yes');
    expect(run.nodes[0]?.agent?.decisions).toMatchObject([{ status: 'succeeded' }, { answer: 'yes' }, {}]);
  }, 120_000);
});
