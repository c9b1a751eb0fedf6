import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { waitFor } from '@weir/test-kit';
import type { RunPorts } from '@weir/workflow-engine';
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
const lines = (): readonly string[] =>
  existsSync(file('t')) ? readFileSync(file('t'), 'utf8').trim().split('\n') : [];
const waits = (id: string) =>
  waitFor(async () => (await store.runs.findById(id))?.status === 'waiting', { what: 'the wait' });
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

describe('a run that resumes while a mail about its wait is still being sent', () => {
  it('is executed once, and can be stopped', async () => {
    const sent: (() => void)[] = [];
    const sendMail: RunPorts['sendMail'] = () => new Promise((resolve) => sent.push(() => resolve()));
    let isReadDuringMail = false;
    const runs: InMemoryRunStore['runs'] = {
      ...store.runs,
      listAllSteps: (id) => {
        isReadDuringMail ||= sent.length > 0;
        return store.runs.listAllSteps(id);
      },
    };
    const worker = await harness.startWorker({ runs, sendMail, pollMs: 10, recoverMs: 10 });
    const run = await harness.queue(`type: chain
smtp: {host: localhost, port: "25"}
mail_on: {wait: true}
wait_mail: {from: a@example.org, to: b@example.org}
steps:
  - {action: human.task, with: {prompt: ok}, id: ask}
  - {idempotent: true, run: "echo started >> ${file('t')}; exec sleep 60"}
`);
    await waits(run.id);
    await waitFor(() => sent.length === 1, { what: 'the mail' });
    await answer(run.id);
    await waitFor(async () => (await store.runs.findById(run.id))?.status === 'running', { what: 'the claim' });
    expect(isReadDuringMail).toBe(false);
    for (const done of sent.splice(0)) done();
    await waitFor(() => lines().includes('started'), { what: 'the step' });
    await store.runs.commit(
      run.id,
      { kind: 'stop_requested', at: new Date(), error: 'run stopped' },
      { audit: unaudited },
    );

    expect(worker.stopRun(run.id)).toBe(true);
    expect(await harness.ended(run)).toMatchObject({ status: 'aborted', fencingToken: 2 });
    expect(lines()).toEqual(['started']);
  });
});

describe('a stop that comes while the wait handler executes', () => {
  it('ends the run instead of letting it wait', async () => {
    const worker = await harness.startWorker({ pollMs: 10 });
    const run = await harness.queue(`handler_on:
  wait: echo wait >> ${file('t')}; until test -e ${file('go')}; do sleep 0.02; done
  abort: echo abort >> ${file('t')}
steps:
  - {action: human.task, with: {prompt: ok}, id: ask}
`);
    await waitFor(() => lines().includes('wait'), { what: 'the handler' });
    await store.runs.commit(
      run.id,
      { kind: 'stop_requested', at: new Date(), error: 'run stopped' },
      { audit: unaudited },
    );
    worker.stopRun(run.id);
    writeFileSync(file('go'), '');

    expect(await harness.ended(run)).toMatchObject({ status: 'aborted' });
    expect(lines()).toEqual(['wait', 'abort']);
  });
});

describe('a retry of a run', () => {
  const failsTimes = (times: number): string =>
    `echo tried >> ${file('t')}; test "$(grep -c tried ${file('t')})" -gt ${times}`;

  it('retries another DAG as often as the step may, for any number of earlier retries', async () => {
    await harness.startWorker();
    const run = await harness.queue(`steps:
  - {action: dag.run, with: {dag: inner}, retry_policy: {limit: 1, interval_sec: 0}}
---
name: inner
steps:
  - run: ${failsTimes(3)}
`);
    expect(await harness.ended(run)).toMatchObject({ status: 'failed' });
    await harness.retry(run);

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    expect(lines()).toHaveLength(4);
  });

  it('is no other one for the iterations of a loop that is retried', async () => {
    await harness.startWorker();
    const run = await harness.queue(`steps:
  - name: each
    retry_policy: {limit: 1, interval_sec: 0}
    foreach:
      items: [a]
      steps:
        - name: within
          foreach:
            items: [b, c]
            max_concurrent: 1
            as: part
            steps:
              - run: |
                  echo \${foreach.part} >> ${file('t')}
                  test \${foreach.part} = b || test "$(grep -c c ${file('t')})" -gt 1
        - {action: dag.run, with: {dag: inner}, depends: []}
---
name: inner
steps:
  - run: test -e ${file('tried')} || { touch ${file('tried')}; exit 1; }
`);

    expect(await harness.ended(run)).toMatchObject({ status: 'succeeded' });
    expect(lines()).toEqual(['b', 'c', 'c']);
  });
});
