import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRunHarness, type RunHarness } from '../../testing/run-harness.contract';
import { createInMemoryRunStore } from '../dag-runs';

const store = createInMemoryRunStore();
const { runs } = store;
let harness: RunHarness;

beforeEach(() => {
  harness = createRunHarness(store);
});
afterEach(() => harness.stop());

const carriedOut = async (specText: string) => {
  const run = await harness.queue(specText);
  await harness.startWorker();
  return { run: await harness.ended(run), steps: await runs.listSteps(run.id) };
};

describe('the flow of a run', () => {
  it('stores how often a step was tried again, and appends to its log', async () => {
    const { run, steps } = await carriedOut(`
steps:
  - name: shaky
    run: |
      echo turn
      echo x >> tries
      test "$(wc -l < tries)" -eq 3
    retry_policy: {limit: 5, interval_sec: 0}
`);
    expect(run.status).toBe('succeeded');
    expect(steps).toMatchObject([{ status: 'succeeded', retryCount: 2, doneCount: 0, exitCode: 0, error: null }]);
    await expect(readFile(steps[0]?.stdoutFile ?? '', 'utf8')).resolves.toBe('turn\nturn\nturn\n');
  });

  it('stores how many turns a repeated step had', async () => {
    const { steps } = await carriedOut(
      'steps:\n  - {name: again, run: "true", repeat_policy: {repeat: true, interval_sec: 0, limit: 3}}\n',
    );
    expect(steps).toMatchObject([{ status: 'succeeded', doneCount: 3 }]);
  });

  it('succeeds in part when dependents of a failure went on', async () => {
    const { run, steps } = await carriedOut(
      'type: chain\nsteps:\n  - {name: a, run: exit 3, continue_on: failed}\n  - {name: b, run: "true"}\n',
    );
    expect(run.status).toBe('partially_succeeded');
    expect(steps.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  it('skips every step and aborts the run when a precondition of the DAG does not hold', async () => {
    const { run, steps } = await carriedOut('preconditions: "false"\nsteps:\n  - run: "true"\n');
    expect(run).toMatchObject({ status: 'aborted', error: 'precondition: condition 1 of 1 is not met' });
    expect(steps.map(({ status }) => status)).toEqual(['skipped']);
  });

  it('aborts a step that waits for its next attempt when the run is stopped', async () => {
    const run = await harness.queue(
      'steps:\n  - {name: hopeless, run: exit 1, retry_policy: {limit: 9, interval_sec: 3600}}\n',
    );
    const worker = await harness.startWorker();
    await harness.stepWhere(run, ({ status }) => status === 'retrying');
    worker.stopRun(run.id);

    expect((await harness.ended(run)).status).toBe('aborted');
    expect(await runs.listSteps(run.id)).toMatchObject([{ status: 'aborted', error: 'run stopped', pid: null }]);
  });

  it('goes on with a step that its lost worker left waiting for its next attempt', async () => {
    const run = await harness.queue('steps:\n  - {name: left, run: "true"}\n');
    const ownerId = randomUUID();
    const claim = await store.queue.claim({ owner: ownerId, at: new Date(), from: 'queue' });
    await runs.record(run.id, { ownerId, token: claim?.token ?? 0 }, [
      { position: 0, status: 'retrying', retryCount: 1 },
    ]);
    await harness.startWorker();

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(await runs.listSteps(run.id)).toMatchObject([{ status: 'succeeded' }]);
  });
});
