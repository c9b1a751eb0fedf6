import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { readAgentMemo, type DagRun, type DagRunSummary } from '@weir/workflow-engine/model';
import { startModelServer, waitFor, type ModelServer, type ScriptedReply } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { createRunHarness, type RunHarness } from '../../testing/run-harness';
import { createInMemoryRunStore, type InMemoryRunStore } from '../queue/in-memory-queue-driver';

let store: InMemoryRunStore;
let harness: RunHarness;
let model: ModelServer;

beforeEach(async () => {
  store = createInMemoryRunStore();
  harness = createRunHarness(store);
  model = await startModelServer();
});
afterEach(async () => {
  await model.stop();
  await harness.stop();
});

const call = (name: string, args: unknown = {}): ScriptedReply => ({ calls: [{ name, arguments: args }] });
const settle = (task: string, status: string, reason = 'so it is'): ScriptedReply =>
  call('set_task_status', { task, status, reason });

const specOf = (steps: string, more = ''): string => `type: agent
llm: {provider: local, base_url: "${model.baseUrl}", model: small, max_retries: 0${more}}
tasks:
  - {name: report, description: "The report of \${params.region} is written."}
params: {region: eu}
steps:
${steps}`;
/** Prints, and adds a line to a file. */
const print = (more = ''): string =>
  `  - {name: print, id: print, run: "echo printed; echo printed >> ${harness.folder.file('t')}", output: OUT${more}}\n`;

const execute = async (spec: string): Promise<DagRun> => {
  await harness.startWorker();
  return harness.ended(await harness.queue(spec));
};
const decisionsOf = async ({ id }: Pick<DagRun, 'id'>) =>
  readAgentMemo((await store.runs.readMemos(id)).get(0))?.decisions ?? [];
const kindsOf = async (run: Pick<DagRun, 'id'>) => (await decisionsOf(run)).map(({ choice }) => choice.kind);
const errorOf = async ({ id }: Pick<DagRun, 'id'>) => (await store.runs.listSteps(id))[0]?.error;
const lines = (): number => {
  const file = harness.folder.file('t');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
};
interface Told {
  readonly role: string;
  readonly content: string;
}
/** What the model was sent in one turn. */
const sent = (index: number): readonly Told[] => (model.calls[index]?.body.messages ?? []) as readonly Told[];
const told = (index: number): string => sent(index).at(-1)?.content ?? '';
const toldRejections = async (run: Pick<DagRun, 'id'>) =>
  (await decisionsOf(run)).flatMap(({ choice }) => (choice.kind === 'rejected' ? [choice.reason] : []));

describe('an agent', () => {
  it('executes the steps that the model chooses, until no task is open', async () => {
    model.script(call('print'), settle('report', 'completed'));
    const run = await execute(specOf(print()));

    expect(run.status).toBe('succeeded');
    expect(await decisionsOf(run)).toMatchObject([
      { choice: { kind: 'action', step: 'print', run: 1, end: { status: 'succeeded' } } },
      { choice: { kind: 'task_status', task: 'report', status: 'completed' } },
    ]);
    expect(lines()).toBe(1);
    expect(JSON.parse(told(1))).toMatchObject({ status: 'succeeded', outputs: { OUT: 'printed' } });
    expect(JSON.stringify(model.calls[0]?.body)).toContain('The report of eu is written.');
    expect((await store.runs.listSteps(run.id))[0]?.modelUse).toMatchObject([{ model: 'small', inputTokens: 20 }]);
  });

  it('executes only the first call of a reply', async () => {
    model.script(
      {
        calls: [
          { name: 'print', arguments: {} },
          { name: 'other', arguments: {} },
        ],
      },
      settle('report', 'skipped'),
    );
    const run = await execute(specOf(`${print()}  - {name: other, run: exit 1}\n`));

    expect(run.status).toBe('succeeded');
    expect(await kindsOf(run)).toEqual(['action', 'task_status']);
    expect(JSON.stringify(model.calls[1]?.body)).not.toContain('"name":"other","arguments"');
  });

  it('lets a step read what the steps before it have published', async () => {
    model.script(call('print'), call('use'), settle('report', 'completed'));
    const use = '  - {name: use, run: "echo got ${steps.print.outputs.OUT} $OUT"}\n';

    expect((await execute(specOf(`${use}${print()}`))).status).toBe('succeeded');
    expect(JSON.parse(told(2))).toMatchObject({ stdout: 'got printed printed\n' });
  });

  it('goes on after a step that has failed, and ends as partly succeeded when it stays so', async () => {
    model.script(call('fails'), settle('report', 'completed'));
    const run = await execute(specOf('  - {name: fails, run: "echo why >&2; exit 3"}\n'));

    expect(run.status).toBe('partially_succeeded');
    expect(JSON.parse(told(1))).toMatchObject({ status: 'failed', exit_code: 3, stderr: 'why\n' });
  });

  it('succeeds when a step that had failed has succeeded in the end', async () => {
    const file = harness.folder.file('again');
    model.script(call('flaky'), call('flaky'), settle('report', 'completed'));
    const run = await execute(specOf(`  - {name: flaky, run: "test -e ${file} || { touch ${file}; exit 1; }"}\n`));

    expect(run.status).toBe('succeeded');
    expect(await decisionsOf(run)).toMatchObject([{ choice: { run: 1 } }, { choice: { run: 2 } }, {}]);
  });

  it('fails with the reason when a task has failed', async () => {
    model.script(settle('report', 'failed', 'no printer'));
    const run = await execute(specOf(print()));

    expect(run.status).toBe('failed');
    expect(await errorOf(run)).toBe('the task "report" has failed: no printer');
  });

  it('opens a task again when the model says so', async () => {
    model.script(settle('report', 'completed'));
    const other = '  - {name: other, description: "Another task."}\n';
    const spec = specOf(print()).replace('params:', `${other}params:`);
    model.script(settle('report', 'open'), settle('report', 'skipped'), settle('other', 'completed'));
    const run = await execute(spec);

    expect(run.status).toBe('succeeded');
    expect(await kindsOf(run)).toEqual(['task_status', 'task_status', 'task_status', 'task_status']);
  });

  it('tells the model what is wrong with a call', async () => {
    model.script(call('nothing'), call('print', '[1]'), settle('others', 'completed'), settle('report', 'done'));
    model.script(settle('report', 'open'), settle('report', 'completed'));
    const run = await execute(specOf(print()));

    expect(run.status).toBe('succeeded');
    expect(await toldRejections(run)).toEqual([
      'There is no tool nothing.',
      'The arguments are no JSON object.',
      'There is no such task; the tasks are: report.',
      'The status must be one of: open, completed, skipped, failed.',
      'The task is open already.',
    ]);
    expect(told(1)).toBe('There is no tool nothing.');
  });

  it('is reminded of a reply without a call, and fails after a second one in a row', async () => {
    model.script({ text: 'Well.' }, call('print'), { text: 'So.' }, { text: 'Hm.' });
    const run = await execute(specOf(print()));

    expect(run.status).toBe('failed');
    expect(told(1)).toBe('Tasks are open: call a tool, or settle them with set_task_status.');
    expect(await errorOf(run)).toBe('the model has called no tool 2 times in a row; open tasks: "report"');
    expect(await kindsOf(run)).toEqual(['stalled', 'action', 'stalled', 'stalled']);
  });

  it('does not run a step a sixth time', async () => {
    model.script(...Array.from({ length: 6 }, () => call('print')), settle('report', 'completed'));
    const run = await execute(specOf(print()));

    expect(run.status).toBe('succeeded');
    expect(lines()).toBe(5);
    expect(told(6)).toBe('print has run 5 times, which is the limit: choose differently.');
  });

  it('fails after 50 decisions', async () => {
    model.script(...Array.from({ length: 60 }, () => call('nothing')));
    const run = await execute(specOf(print()));

    expect(run.status).toBe('failed');
    expect(model.calls).toHaveLength(50);
    expect(await errorOf(run)).toBe('the model has made 50 decisions, which is the limit; open tasks: "report"');
  });

  it('cuts a result at 512 KiB', async () => {
    model.script(call('large'), settle('report', 'completed'));
    await execute(specOf('  - {name: large, run: "head -c 900000 /dev/zero | tr \'\\\\0\' x", output: LARGE}\n'));

    expect(told(1)).toHaveLength(512 * 1024 + ' [cut off]'.length);
    expect(told(1).endsWith('x [cut off]')).toBe(true);
  });

  it('leaves out old results once a prompt had 200,000 tokens', async () => {
    const steps = Array.from({ length: 5 }, (_, index) => `  - {name: s${index}, run: echo out}\n`).join('');
    const calls = Array.from({ length: 22 }, (_, index) => call(`s${index % 5}`));
    model.script(...calls.slice(0, 21), { ...call('s1'), promptTokens: 200_000 }, settle('report', 'completed'));
    await execute(specOf(steps));
    const results = (index: number) =>
      sent(index)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content.includes('left out'));

    expect(results(21).filter(Boolean)).toHaveLength(0);
    expect(results(22)).toEqual([true, true, ...Array.from({ length: 20 }, () => false)]);
  });

  it('asks the next model when one does not answer, and stays with it', async () => {
    model.script({ status: 500 }, call('print'), settle('report', 'completed'));
    const run = await execute(specOf(print()).replace('model: small', 'model: [small, large]'));

    expect(run.status).toBe('succeeded');
    expect(model.calls.map(({ body }) => body.model)).toEqual(['small', 'large', 'large']);
  });

  it('fails when no model answers', async () => {
    model.script({ status: 500 });
    const run = await execute(specOf(print()));

    expect(run.status).toBe('failed');
    expect(await errorOf(run)).toContain('refused');
  });

  it('stores no secret that the model repeats', async () => {
    writeFileSync(harness.folder.file('key'), 'hunter2hunter2');
    const secrets = `secrets: [{name: KEY, provider: file, key: ${harness.folder.file('key')}}]\n`;
    model.script({ ...settle('report', 'completed', 'hunter2hunter2 works'), text: 'hunter2hunter2' });
    const run = await execute(specOf(print()).replace('params:', `${secrets}params:`));

    expect(run.status).toBe('succeeded');
    expect(await decisionsOf(run)).toMatchObject([{ content: '*****', choice: { reason: '***** works' } }]);
  });
});

describe('a step of an agent that runs a DAG', () => {
  const child = `description: Prints a city
params: [{name: CITY, required: true}, {name: UNIT, default: c}]
steps: [{name: show, run: "printf '%s|%s' \\"$CITY\\" \\"$UNIT\\"", output: SHOWN}]
`;
  const steps = '  - {id: city, action: dag.run, with: {dag: child, params: {UNIT: "${params.region}"}}}\n';

  beforeEach(() => writeFileSync(harness.folder.file('child.yaml'), child));

  it('takes the parameters as arguments that it does not set itself', async () => {
    model.script(call('city', { CITY: 'Bern ${params.region}', UNIT: 'f' }), settle('report', 'completed'));
    const run = await execute(specOf(steps));

    expect(run.status).toBe('succeeded');
    const tools = model.calls[0]?.body.tools as readonly { readonly function: object }[];
    expect(tools[0]?.function).toMatchObject({ name: 'city', description: 'Prints a city' });
    expect(tools[0]?.function).toHaveProperty('parameters', {
      type: 'object',
      properties: { CITY: { type: 'string' } },
      required: ['CITY'],
    });
    expect(JSON.parse(told(1))).toMatchObject({ outputs: { outputs: { SHOWN: 'Bern ${params.region}|eu' } } });
  });

  it('starts a run of its own for each choice', async () => {
    model.script(call('city', { CITY: 'Bern' }), call('city', { CITY: 'Bern' }), settle('report', 'completed'));
    const run = await execute(specOf(steps));

    expect(await store.runs.listChildren(run.id)).toHaveLength(2);
  });
});

describe('an agent that asks a person', () => {
  const ask = (question: string): ScriptedReply => call('ask_user', { question });
  const childWhere = (run: Pick<DagRun, 'id'>, index: number, status: string): Promise<DagRunSummary> =>
    waitFor(
      async () => {
        const child = (await store.runs.listChildren(run.id))[index];
        return child?.status === status ? child : undefined;
      },
      { what: `question ${index} to be ${status}`, deadlineMs: 60_000 },
    );
  const answer = async (child: Pick<DagRunSummary, 'id'>, text: string): Promise<void> => {
    const [step] = await store.runs.listSteps(child.id);
    if (step === undefined) throw new Error('The question has no step.');
    const outputs = { fields: [], declared: [{ name: 'answer', value: text }] };
    const event = { kind: 'task_completed', step, at: new Date(), by: 'ada', outputs } as const;
    await store.runs.commit(child.id, event, { audit: unaudited });
  };
  const waits = (run: Pick<DagRun, 'id'>) =>
    waitFor(async () => (await store.runs.findById(run.id))?.status === 'waiting' || undefined, {
      what: 'the run to wait',
      deadlineMs: 60_000,
    });

  it('waits without a worker, and goes on with the answer', async () => {
    await harness.startWorker();
    model.script(call('print'), ask('Which ${params.region}?'), settle('report', 'completed'));
    const run = await harness.queue(specOf(print()));
    const child = await childWhere(run, 0, 'waiting');
    await waits(run);
    const [memo] = [...(await store.runs.readMemos(child.id)).values()];
    expect(memo).toMatchObject({ task: { prompt: 'Which ${params.region}?' } });
    expect((await store.runs.listSteps(run.id))[0]?.modelUse).toBeNull();
    await answer(child, 'the north');

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(told(2)).toBe('The answer: the north');
    expect([lines(), model.calls.length]).toEqual([1, 3]);
    expect(await decisionsOf(run)).toMatchObject([
      {},
      { choice: { kind: 'ask_user', end: { answer: 'the north' } } },
      {},
    ]);
    expect((await store.runs.listSteps(run.id))[0]?.modelUse).toMatchObject([{ inputTokens: 30 }]);
  });

  it('asks the same question again when the model does', async () => {
    await harness.startWorker();
    model.script(ask('Now?'), ask('Now?'), settle('report', 'completed'));
    const run = await harness.queue(specOf(print()));
    await answer(await childWhere(run, 0, 'waiting'), 'no');
    await answer(await childWhere(run, 1, 'waiting'), 'yes');

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect([told(1), told(2)]).toEqual(['The answer: no', 'The answer: yes']);
  });

  it('does not ask a sixth time, nor without a question', async () => {
    await harness.startWorker();
    model.script(...Array.from({ length: 5 }, () => ask('Now?')), ask('Now?'), ask(' '), settle('report', 'completed'));
    const run = await harness.queue(specOf(print()));
    for (let index = 0; index < 5; index += 1) await answer(await childWhere(run, index, 'waiting'), 'no');

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(await toldRejections(run)).toEqual([
      'People were asked 5 times, which is the limit: choose differently.',
      'The question is missing.',
    ]);
    expect(await store.runs.listChildren(run.id)).toHaveLength(5);
  });

  it('tells the model when the question was withdrawn', async () => {
    const worker = await harness.startWorker();
    model.script(ask('Now?'), settle('report', 'skipped'));
    const run = await harness.queue(specOf(print()));
    const child = await childWhere(run, 0, 'waiting');
    await waits(run);
    await store.runs.commit(
      child.id,
      { kind: 'stop_requested', at: new Date(), error: 'stopped' },
      { audit: unaudited },
    );
    worker.stopRun(child.id);

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(told(1)).toBe('The question was withdrawn, and nobody has answered.');
  });

  it('waits for the same question when its worker was lost', async () => {
    const first = await harness.startWorker();
    model.script(ask('Now?'), settle('report', 'completed'));
    const run = await harness.queue(specOf(print()));
    const child = await childWhere(run, 0, 'waiting');
    await first.stop();
    await harness.startWorker();
    await answer(child, 'yes');

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(told(1)).toBe('The answer: yes');
    expect(await store.runs.listChildren(run.id)).toHaveLength(1);
  });
});

describe('an agent whose worker is lost', () => {
  /** Continues only once there is a file `again`. */
  const hang = (more: string): string =>
    `  - {name: print, ${more}run: "echo printed >> ${harness.folder.file('t')}; test -e ${harness.folder.file('again')} || exec sleep 60"}\n`;
  const goOn = async (): Promise<void> => {
    writeFileSync(harness.folder.file('again'), '');
    await harness.startWorker();
  };
  const printed = (count: number) =>
    waitFor(() => lines() >= count || undefined, { what: `${count} lines`, deadlineMs: 60_000 });

  it('carries on a decision that was stored, without asking for it again', async () => {
    const first = await harness.startWorker();
    model.script(call('print'), settle('report', 'completed'));
    const run = await harness.queue(specOf(hang('idempotent: true, ')));
    await printed(1);
    await first.stop();
    await goOn();

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect([lines(), model.calls.length]).toEqual([2, 2]);
  });

  it('does not repeat a step that may not be repeated, and lets the model decide', async () => {
    const first = await harness.startWorker();
    model.script(call('print'), settle('report', 'completed'));
    const run = await harness.queue(specOf(hang('')));
    await printed(1);
    await first.stop();
    await goOn();

    expect((await harness.ended(run)).status).toBe('partially_succeeded');
    expect(JSON.parse(told(1))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('owner lost') as string,
    });
    expect(lines()).toBe(1);
  });

  it('does not repeat an action that has ended, and tells its result to the model again', async () => {
    const first = await harness.startWorker();
    model.script(call('print'), { ...call('use'), isHeld: true });
    const use = '  - {name: use, run: "echo got $OUT"}\n';
    const run = await harness.queue(specOf(`${print()}${use}`));
    await waitFor(() => model.heldCount() > 0 || undefined, { what: 'the second question', deadlineMs: 60_000 });
    await first.stop();
    model.script(call('use'), settle('report', 'completed'));
    await harness.startWorker();

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(lines()).toBe(1);
    expect(JSON.parse(told(2))).toMatchObject({ status: 'succeeded', outputs: { OUT: 'printed' } });
    expect(JSON.parse(told(3))).toMatchObject({ stdout: 'got printed\n' });
    // The tokens of the decision before count, too.
    expect((await store.runs.listSteps(run.id))[0]?.modelUse).toMatchObject([{ inputTokens: 30 }]);
  });

  it('starts anew when its run is retried', async () => {
    await harness.startWorker();
    model.script(call('print'), settle('report', 'failed'), call('print'), settle('report', 'completed'));
    const run = await harness.queue(specOf(print()));
    expect((await harness.ended(run)).status).toBe('failed');
    await harness.retry(run);
    await waitFor(() => model.calls.length >= 4 || undefined, { what: 'four questions', deadlineMs: 60_000 });

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(lines()).toBe(2);
    expect(sent(2)).toHaveLength(2);
    expect(await kindsOf(run)).toEqual(['action', 'task_status']);
  });

  it('stops with its run', async () => {
    const worker = await harness.startWorker();
    model.script({ ...call('print'), isHeld: true });
    const run = await harness.queue(specOf(print()));
    await waitFor(() => model.heldCount() > 0 || undefined, { what: 'the question', deadlineMs: 60_000 });
    worker.stopRun(run.id);

    expect((await harness.ended(run)).status).toBe('aborted');
    expect(await decisionsOf(run)).toEqual([]);
  });
});
