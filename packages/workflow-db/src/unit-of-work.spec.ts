import type { Database } from './create-database';
import { createTestDatabases, providers, type TestDatabases } from './testing/test-databases';
import { aUser } from './testing/test-rows';

describe.each(providers)('unitOfWork on %s', (provider) => {
  let databases: TestDatabases;
  let database: Database;

  beforeAll(async () => {
    databases = await createTestDatabases(provider);
  });
  beforeEach(async () => {
    database = await databases.open();
  });
  afterAll(() => databases.remove());

  it('returns what the work returns', async () => {
    const count = await database.unitOfWork(async (transaction) => {
      await transaction.user.create({ data: aUser() });
      return transaction.user.count();
    });
    expect(count).toBe(1);
  });

  it('rolls back when the work throws, and rethrows the error', async () => {
    const failure = new Error('no');
    const work = database.unitOfWork(async (transaction) => {
      await transaction.user.create({ data: aUser() });
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    await expect(database.db.user.count()).resolves.toBe(0);
  });

  it('loses none of 30 concurrent read-modify-write updates of one row', async () => {
    await database.db.user.create({ data: aUser() });
    const where = { id: 'user-1' };
    const raise = () =>
      database.unitOfWork(async (transaction) => {
        const { tokenVersion } = await transaction.user.findUniqueOrThrow({ where });
        await transaction.user.update({ where, data: { tokenVersion: tokenVersion + 1 } });
      });
    await Promise.all(Array.from({ length: 30 }, raise));

    await expect(database.db.user.findUniqueOrThrow({ where })).resolves.toMatchObject({ tokenVersion: 30 });
  });

  it('holds a rule over several rows: of eight administrators removed at once, one stays', async () => {
    const { db } = database;
    const ids = Array.from({ length: 8 }, (_, index) => `user-${index}`);
    await db.user.createMany({ data: ids.map((id) => aUser({ id, username: id })) });
    // Opens a connection for each, so that they really meet.
    await Promise.all(ids.map(() => db.user.count()));
    const enabled = { role: 'admin', isDisabled: false };
    const release = (id: string) =>
      database.unitOfWork(async (transaction) => {
        if ((await transaction.user.count({ where: enabled })) < 2) return 'kept';
        await transaction.user.update({ where: { id }, data: { isDisabled: true } });
        return 'left';
      });
    const results = await Promise.all(ids.map(release));

    expect(results.filter((result) => result === 'kept')).toHaveLength(1);
    await expect(db.user.count({ where: enabled })).resolves.toBe(1);
  });

  it('lets work with weaker isolation wait for a row instead of repeating it', async () => {
    await database.db.user.create({ data: aUser() });
    const where = { id: 'user-1' };
    let runs = 0;
    const raise = () =>
      database.unitOfWork(
        async (transaction) => {
          runs += 1;
          await transaction.user.update({ where, data: { tokenVersion: { increment: 1 } } });
        },
        { isolation: 'read_committed' },
      );
    await Promise.all(Array.from({ length: 30 }, raise));

    await expect(database.db.user.findUniqueOrThrow({ where })).resolves.toMatchObject({ tokenVersion: 30 });
    expect(runs).toBe(30);
  });

  it('lets one of many concurrent set-ups win', async () => {
    const setUp = (id: string) =>
      database.unitOfWork(async (transaction) => {
        if ((await transaction.user.count()) > 0) return 'lost';
        await transaction.user.create({ data: aUser({ id, username: id }) });
        return 'won';
      });
    const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(setUp));

    expect(results.filter((result) => result === 'won')).toHaveLength(1);
    await expect(database.db.user.count()).resolves.toBe(1);
  });
});
