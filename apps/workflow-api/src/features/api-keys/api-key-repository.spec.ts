import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores.contract';
import { describeApiKeyRepository } from './api-key-repository.contract';

describe.each(storeKinds)('API key repository on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeApiKeyRepository(async () => (await stores.open()).apiKeys);
});
