import { createDatabaseStores } from '../../testing/run-harness.contract';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores.contract';
import { createInMemoryRunStore } from '../dag-runs';
import { createPrismaWorkerRepository } from '../worker';
import { describeQueueDriver } from './queue-driver.contract';

describe.each(storeKinds)('queue driver on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeQueueDriver(async () => {
    if (kind === 'memory') {
      const alive = new Set<string>();
      return {
        ...createInMemoryRunStore({ isAlive: (owner) => alive.has(owner) }),
        beat: (owner) => Promise.resolve(void alive.add(owner)),
        silence: (owner) => Promise.resolve(void alive.delete(owner)),
        isShared: true,
      };
    }
    const database = await stores.openDatabase();
    const runners = createPrismaWorkerRepository(database);
    return {
      ...createDatabaseStores(database),
      beat: (id) => runners.beat({ id, host: 'here', pid: 1, startedAt: new Date() }),
      silence: async (id) => {
        const heartbeatAt = new Date(Date.now() - 60_000);
        await database.db.runner.update({ where: { id }, data: { heartbeatAt } });
      },
      isShared: database.provider === 'postgresql',
    };
  });
});
