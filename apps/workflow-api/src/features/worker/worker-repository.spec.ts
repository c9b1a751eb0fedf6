import { waitFor } from '@weir/test-kit';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryWorkerRepository } from './in-memory-worker-repository';
import { createPrismaWorkerRepository, type WorkerRepository } from './worker-repository';
import { aWorker } from '../../testing/worker-builders';

const minuteMs = 60_000;

describe.each(storeKinds)('worker repository on %s', (kind) => {
  let stores: TestStoreSource;
  let workers: WorkerRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    workers =
      kind === 'memory' ? createInMemoryWorkerRepository() : createPrismaWorkerRepository(await stores.openDatabase());
    await workers.beat({ ...aWorker({ id: 'a' }), claims: true });
    await workers.beat({ ...aWorker({ id: 'b' }), claims: true });
  });
  afterAll(() => stores.remove());

  /** Lets the worker "a" be silent for longer than "b": by so much that a busy machine does not make up for it. */
  const silenceOfA = async (): Promise<number> => {
    const since = Date.now();
    await waitFor(
      async () => {
        await workers.beat({ ...aWorker({ id: 'b' }), claims: true });
        return Date.now() - since > 600;
      },
      { what: 'a while to pass' },
    );
    return Date.now() - since - 100;
  };

  it('lists all workers with the time since their heartbeats', async () => {
    const listed = await workers.list();

    expect(
      listed.map(({ id, host, pid }) => ({ id, host, pid })).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    ).toEqual([
      { id: 'a', host: 'here', pid: 1 },
      { id: 'b', host: 'here', pid: 1 },
    ]);
    expect(listed.every(({ silentMs }) => silentMs >= 0 && silentMs < minuteMs)).toBe(true);
  });

  it('lists the workers with a heartbeat within a time', async () => {
    await expect(workers.listAlive(minuteMs)).resolves.toEqual(['a', 'b']);
    const silentMs = await silenceOfA();
    await expect(workers.listAlive(silentMs)).resolves.toEqual(['b']);
    await workers.beat({ ...aWorker({ id: 'a' }), claims: true });
    await expect(workers.listAlive(minuteMs)).resolves.toEqual(['a', 'b']);
  });

  it('removes a worker, even a missing one', async () => {
    await workers.remove('a');
    await workers.remove('a');
    await expect(workers.listAlive(minuteMs)).resolves.toEqual(['b']);
  });

  it('removes workers that were silent for long', async () => {
    await workers.removeSilent(await silenceOfA());
    await expect(workers.listAlive(minuteMs)).resolves.toEqual(['b']);
  });
});
