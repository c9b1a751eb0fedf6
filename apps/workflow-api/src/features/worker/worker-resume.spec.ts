import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { systemTimer, type Timer } from '@weir/workflow-engine/model';
import { waitFor } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { createRunHarness, type RunHarness } from '../../testing/run-harness';
import { createInMemoryRunStore, type InMemoryRunStore } from '../queue/in-memory-queue-driver';

let store: InMemoryRunStore;
let harness: RunHarness;

beforeEach(() => {
  store = createInMemoryRunStore();
  harness = createRunHarness(store);
});
afterEach(() => harness.stop());

const file = (name: string): string => harness.folder.file(name);
// The shell creates the file before it writes a line to it.
const lines = (): readonly string[] =>
  existsSync(file('t')) ? readFileSync(file('t'), 'utf8').split('\n').slice(0, -1) : [];
const wrote = (line: string) => waitFor(() => lines().includes(line), { what: line, deadlineMs: 60_000 });
/** Continues only once there is a file `again`. */
const hang = (): string => `test -e ${file('again')} || exec sleep 60`;
const goOn = async (): Promise<void> => {
  writeFileSync(file('again'), '');
  await harness.startWorker();
};

const answer = async (id: string, position = 0) => {
  const step = (await store.runs.listSteps(id))[position];
  if (step === undefined) throw new Error('There is no such step.');
  const outputs = { fields: [], declared: [] };
  return store.runs.commit(
    id,
    { kind: 'task_completed', step, at: new Date(), by: 'ada', outputs },
    { audit: unaudited },
  );
};

describe('a run that its worker left', () => {
  it('does not retry an iteration of a loop that had failed in the same attempt', async () => {
    const first = await harness.startWorker();
    const run = await harness.queue(`steps:
  - name: each
    foreach:
      items: [bad, good]
      max_concurrent: 1
      steps:
        - idempotent: true
          run: |
            echo \${foreach.item} >> ${file('t')}
            test \${foreach.item} = good
            ${hang()}
`);
    await wrote('good');
    await first.stop();
    await goOn();

    expect(await harness.ended(run)).toMatchObject({ status: 'failed' });
    expect(lines()).toEqual(['bad', 'good', 'good']);
  });

  it('executes the rest of the handlers of a run whose preconditions were not met, and no step', async () => {
    const first = await harness.startWorker();
    const run = await harness.queue(`preconditions: "echo check >> ${file('t')}; false"
handler_on:
  init: echo init >> ${file('t')}
  abort: {idempotent: true, run: "echo abort >> ${file('t')}; ${hang()}"}
  exit: echo exit >> ${file('t')}
steps:
  - run: echo step >> ${file('t')}
`);
    await wrote('abort');
    await first.stop();
    await goOn();

    expect(await harness.ended(run)).toMatchObject({ status: 'aborted' });
    expect(lines()).toEqual(['check', 'abort', 'abort', 'exit']);
  });

  it('is not requested to stop, nor are the runs that its steps wait for', async () => {
    const first = await harness.startWorker();
    const run = await harness.queue(`type: chain
steps:
  - {id: call, action: dag.run, with: {dag: inner}}
  - run: echo after >> ${file('t')}
---
name: inner
steps:
  - {idempotent: true, run: "echo $DAG_RUN_ID >> ${file('t')}; ${hang()}"}
`);
    await waitFor(() => lines().length === 1, { what: 'the inner run', deadlineMs: 60_000 });
    await first.stop();
    const [child] = await store.runs.listChildren(run.id);
    expect(child).toMatchObject({ status: 'running', stopRequestedAt: null });
    await goOn();

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    expect(lines()).toEqual([child?.dagRunId, child?.dagRunId, 'after']);
  });

  it('releases the other iterations of a loop when one of them cannot be recorded', async () => {
    let isBroken = true;
    const failing: InMemoryRunStore['runs'] = {
      ...store.runs,
      commit: (id, event, options) => {
        const changes = event.kind === 'steps_changed' ? event.patches : [];
        if (!isBroken || !changes.some(({ scope, status }) => scope === '0/0' && status === 'succeeded')) {
          return store.runs.commit(id, event, options);
        }
        isBroken = false;
        writeFileSync(file('again'), '');
        return Promise.reject(new Error('disk full'));
      },
    };
    await harness.startWorker({ runs: failing, pollMs: 10, recoverMs: 10 });
    const run = await harness.queue(`steps:
  - name: each
    foreach:
      items: [a, b]
      steps:
        - idempotent: true
          run: |
            echo \${foreach.item} >> ${file('t')}
            test \${foreach.item} = b || until grep -q b ${file('t')}; do sleep 0.02; done
            test \${foreach.item} = a || { ${hang()}; }
`);

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    expect(lines().toSorted()).toEqual(['a', 'a', 'b', 'b']);
  });
});

describe('a handler that does not end', () => {
  it('is ended some time after the stop of its run', async () => {
    const late: (() => void)[] = [];
    const timer: Timer = {
      start: (afterMs, due) => {
        if (afterMs !== 300_000) return systemTimer.start(afterMs, due);
        late.push(due);
        return () => undefined;
      },
    };
    const worker = await harness.startWorker({ timer });
    const run = await harness.queue(`handler_on: {exit: "echo exit >> ${file('t')}; exec sleep 60"}
steps:
  - run: echo step
`);
    await wrote('exit');
    expect(late).toEqual([]);
    worker.stopRun(run.id);
    await waitFor(() => late.length === 1, { what: 'the time of the handler' });
    for (const due of late) due();

    expect(await harness.ended(run)).toMatchObject({ status: 'failed' });
  });
});

describe('the run of another DAG that is retried', () => {
  it('is executed by the worker of the step, even if it claims no queued runs', async () => {
    await harness.startWorker({ maxRuns: 1 });
    const run = await harness.queue(`steps:
  - {action: dag.run, with: {dag: inner}, retry_policy: {limit: 1, interval_sec: 0}}
---
name: inner
steps:
  - run: echo $WEIR_FENCING_TOKEN >> ${file('t')}; test -e ${file('tried')} || { touch ${file('tried')}; exit 1; }
`);

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    expect(lines()).toEqual(['1', '2']);
  });
});

describe('a retried run', () => {
  it('executes its handlers again, with new runs of other DAGs', async () => {
    await harness.startWorker();
    const run = await harness.queue(`handler_on:
  exit: {action: dag.run, with: {dag: inner}}
steps:
  - run: test -e ${file('tried')} || { touch ${file('tried')}; exit 1; }
---
name: inner
steps:
  - run: echo $DAG_RUN_ID >> ${file('t')}
`);
    expect(await harness.ended(run)).toMatchObject({ status: 'failed' });
    await harness.retry(run);

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    expect(new Set(lines()).size).toBe(2);
  });

  it('may fail by a handler alone, which then executes alone', async () => {
    await harness.startWorker();
    const run = await harness.queue(`handler_on:
  success: test -e ${file('tried')} || { touch ${file('tried')}; exit 1; }
steps:
  - run: echo step >> ${file('t')}
`);
    expect(await harness.ended(run)).toMatchObject({ status: 'failed' });
    await harness.retry(run);

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    expect(lines()).toEqual(['step']);
  });
});

describe('a run that waits twice', () => {
  it('executes its wait handler each time, as separate work', async () => {
    await harness.startWorker();
    const run = await harness.queue(`type: chain
handler_on:
  wait: echo $WEIR_IDEMPOTENCY_KEY $DAG_RUN_STATUS $DAG_WAITING_STEPS >> ${file('t')}
steps:
  - {id: one, action: human.task, with: {prompt: ok}}
  - {id: two, action: human.task, with: {prompt: ok}}
`);
    for (const position of [0, 1]) {
      await waitFor(async () => (await store.runs.findById(run.id))?.status === 'waiting', { what: 'the wait' });
      await answer(run.id, position);
    }

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    const [first, second] = lines().map((line) => line.split(' '));
    expect([first?.slice(1), second?.slice(1)]).toEqual([
      ['waiting', 'one'],
      ['waiting', 'two'],
    ]);
    expect(first?.[0]).not.toBe(second?.[0]);
  });
});

describe('a run of another DAG that waits for a person', () => {
  it('keeps the iteration of a loop active until it has ended', async () => {
    writeFileSync(file('asks.yaml'), 'steps: [{id: ask, action: human.task, with: {prompt: ok}}]');
    await harness.startWorker();
    const run = await harness.queue(`steps:
  - name: each
    foreach:
      items: [a]
      steps:
        - {action: dag.run, with: {dag: asks}}
`);
    const child = await waitFor(
      async () => (await store.runs.listChildren(run.id)).find(({ status }) => status === 'waiting'),
      { what: 'the wait of the inner run' },
    );
    await answer(child.id);

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
  });
});
