import { waitFor } from '@weir/test-kit';
import { createInMemoryRunStore, type InMemoryRunStore } from '../queue/in-memory-queue-driver';
import { createRunHarness, type RunHarness } from '../../testing/run-harness';

describe('a worker whose heartbeats could not be stored', () => {
  let store: InMemoryRunStore;
  let harness: RunHarness;

  beforeEach(() => {
    store = createInMemoryRunStore();
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());

  it('claims nothing until one is stored again', async () => {
    let silentMs = 60_000;
    let claims = 0;
    let polls = 0;
    const heartbeat = { start: () => Promise.resolve(), silentMs: () => silentMs, stop: () => Promise.resolve() };
    const queue: InMemoryRunStore['queue'] = {
      ...store.queue,
      claim: (request) => {
        claims += 1;
        return store.queue.claim(request);
      },
      listClaims: (owner) => {
        polls += 1;
        return store.queue.listClaims(owner);
      },
    };
    const worker = await harness.startWorker({ heartbeat, queue, pollMs: 5, recoverMs: 5 });
    const run = await harness.queue('steps:\n  - {name: a, run: "true"}\n');
    await waitFor(() => polls > 5, { what: 'several polls' });

    expect(claims).toBe(0);
    expect(worker.local.ownerId('{}')).toBeUndefined();
    silentMs = 0;
    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded', error: null });
    expect(worker.local.ownerId('{}')).toBe(worker.id);
  });
});
