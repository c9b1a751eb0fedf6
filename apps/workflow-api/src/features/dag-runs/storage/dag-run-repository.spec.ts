import { createTestStores, storeKinds, type TestStoreSource } from '../../../testing/test-stores.contract';
import { describeDagRunRepository } from './dag-run-repository.contract';
import { createInMemoryDagRunRepository } from './in-memory-dag-run-repository';
import { createPrismaDagRunRepository } from './prisma-dag-run-repository';

describe.each(storeKinds)('dag run repository on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeDagRunRepository(async () =>
    kind === 'memory' ? createInMemoryDagRunRepository() : createPrismaDagRunRepository(await stores.openDatabase()),
  );
});
