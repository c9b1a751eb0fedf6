import { createTestStores, databaseKinds } from '../../testing/test-stores';
import { createDatabaseCheck } from './database-check';

describe('createDatabaseCheck', () => {
  it.each(databaseKinds)('returns whether %s answers', async (kind) => {
    const stores = await createTestStores(kind);
    const database = await stores.openDatabase();
    const check = createDatabaseCheck(database);

    await expect(check()).resolves.toBe(true);
    await stores.remove();
  });

  it('does not wait for a database that hangs, and checks it once', async () => {
    let asked = 0;
    const hanging = {
      $queryRawUnsafe: () => {
        asked += 1;
        return new Promise<never>(() => undefined);
      },
    };
    // Only the query is used.
    const check = createDatabaseCheck({ db: hanging } as unknown as Parameters<typeof createDatabaseCheck>[0], 10);

    await expect(Promise.all([check(), check()])).resolves.toEqual([false, false]);
    await expect(check()).resolves.toBe(false);
    expect(asked).toBe(1);
  });

  it('returns false when the query fails', async () => {
    const failing = { $queryRawUnsafe: () => Promise.reject(new Error('gone')) };
    const check = createDatabaseCheck({ db: failing } as unknown as Parameters<typeof createDatabaseCheck>[0]);

    await expect(check()).resolves.toBe(false);
  });
});
