import { createTestStores, storeKinds, type TestStoreSource } from '../../../testing/test-stores.contract';
import { createDatabaseStores } from '../../../testing/run-harness.contract';
import { createInMemoryRunStore } from './in-memory-queue-driver';
import { describeRunControls } from './run-controls.contract';

describe.each(storeKinds)('controls of runs on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeRunControls(async () =>
    kind === 'memory' ? createInMemoryRunStore() : createDatabaseStores(await stores.openDatabase()),
  );
});
