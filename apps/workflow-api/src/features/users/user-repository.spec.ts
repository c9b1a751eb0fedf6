import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores.contract';
import { describeUserStore } from './user-repository.contract';

describe.each(storeKinds)('user store on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeUserStore(async () => (await stores.open()).users);
});
