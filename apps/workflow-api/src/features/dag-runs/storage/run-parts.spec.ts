import { createTestStores, storeKinds, type TestStoreSource } from '../../../testing/test-stores.contract';
import { createInMemoryDagRunRepository } from './in-memory-dag-run-repository';
import { createPrismaDagRunRepository } from './prisma-dag-run-repository';
import { describeRunParts } from './run-parts.contract';

describe.each(storeKinds)('parts of runs on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeRunParts(async () =>
    kind === 'memory' ? createInMemoryDagRunRepository() : createPrismaDagRunRepository(await stores.openDatabase()),
  );
});
