import { unaudited } from '../../access/audited-operation';
import { createRunHarness, type RunHarness } from '../../testing/run-harness';
import { createInMemoryRunStore, type InMemoryRunStore } from '../queue/in-memory-queue-driver';
import type { DagRunRepository } from '../runs';

describe('a stop request that was stored', () => {
  const slow = 'steps:\n  - {name: wait, run: "exec sleep 60"}\n  - {name: after, run: "true", depends: wait}\n';
  let runs: DagRunRepository;
  let store: InMemoryRunStore;
  let harness: RunHarness;

  beforeEach(() => {
    store = createInMemoryRunStore();
    runs = store.runs;
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());

  const requestStop = (id: string) =>
    runs.commit(id, { kind: 'stop_requested', at: new Date(), error: 'run stopped' }, { audit: unaudited });

  it('ends the run although its worker was not notified', async () => {
    await harness.startWorker({ pollMs: 20 });
    const run = await harness.queue(slow);
    await harness.stepWhere(run, ({ pid }) => pid !== null);
    await expect(requestStop(run.id)).resolves.toMatchObject({ expected: { status: 'running' } });

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'aborted' });
    await expect(runs.listSteps(run.id)).resolves.toMatchObject([{ status: 'aborted' }, { status: 'aborted' }]);
  });

  it('leaves the other runs alone', async () => {
    await harness.startWorker({ pollMs: 20 });
    const [stopped, other] = [await harness.queue(slow), await harness.queue(slow)];
    await harness.stepWhere(stopped, ({ pid }) => pid !== null);
    await harness.stepWhere(other, ({ pid }) => pid !== null);
    await requestStop(stopped.id);
    await harness.ended(stopped);

    await expect(runs.findById(other.id)).resolves.toMatchObject({ status: 'running' });
  });

  it('lets a run that its owner left end as aborted', async () => {
    const run = await harness.queue(slow);
    await store.queue.claim({ labels: {}, owner: 'dead', at: new Date(), from: 'queue' });
    await requestStop(run.id);
    await harness.startWorker();

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'aborted', error: null });
  });
});
