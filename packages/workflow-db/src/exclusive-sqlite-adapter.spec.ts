import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnProcess, type SpawnedProcess } from '@weir/test-kit';
import type { Database } from './create-database';
import { createTestDatabases, type TestDatabases } from './testing/test-databases';
import { aUser } from './testing/test-rows';
import { translatePrismaError } from './translate-prisma-error';

describe('an open transaction on SQLite', () => {
  let databases: TestDatabases;
  let database: Database;

  beforeAll(async () => {
    databases = await createTestDatabases('sqlite');
  });
  beforeEach(async () => {
    database = await databases.open();
  });
  afterAll(() => databases.remove());

  const failure = new Error('rolled back on purpose');

  it('makes other reads wait, so that they never see changes that are rolled back', async () => {
    const { db } = database;
    let outsideRead: Promise<number> | undefined;
    let isReadDone = false;

    const transaction = db.$transaction(async (inside) => {
      await inside.user.create({ data: aUser() });
      outsideRead = db.user.count().finally(() => {
        isReadDone = true;
      });
      // Enough ticks of the event loop for the outside read to end if it were let through.
      for (let turn = 0; turn < 20; turn += 1) expect(await inside.user.count()).toBe(1);
      expect(isReadDone).toBe(false);
      throw failure;
    });

    await expect(transaction).rejects.toBe(failure);
    await expect(outsideRead).resolves.toBe(0);
  });

  it('does not roll back the writes of others', async () => {
    const { db } = database;
    await db.user.create({ data: aUser() });
    let outsideWrite: Promise<unknown> | undefined;

    const transaction = db.$transaction(async (inside) => {
      await inside.user.update({ where: { id: 'user-1' }, data: { tokenVersion: 7 } });
      outsideWrite = db.user.updateMany({ data: { role: 'viewer' } });
      // Prisma sends a query only when its promise is awaited.
      outsideWrite.catch(() => undefined);
      for (let turn = 0; turn < 20; turn += 1) await inside.user.count();
      throw failure;
    });

    await expect(transaction).rejects.toBe(failure);
    await outsideWrite;
    await expect(db.user.findFirstOrThrow()).resolves.toMatchObject({ role: 'viewer', tokenVersion: 0 });
  });

  it('runs a batch as one transaction', async () => {
    const { db } = database;
    const batch = db.$transaction([db.user.create({ data: aUser() }), db.user.create({ data: aUser() })]);

    await expect(batch).rejects.toThrow();
    await expect(db.user.count()).resolves.toBe(0);
  });

  it('lets others continue after a transaction could not start in time', async () => {
    const { db } = database;
    let late: Promise<unknown> | undefined;
    await db.$transaction(async (inside) => {
      late = db.$transaction(async (other) => other.user.create({ data: aUser() }), { maxWait: 50 });
      late.catch(() => undefined);
      const refused = await late.catch((error: unknown) => error);
      expect(translatePrismaError(refused)).toEqual({ kind: 'busy' });
      await inside.user.create({ data: aUser({ id: 'user-2', username: 'grace' }) });
    });

    await db.$transaction((other) => other.user.create({ data: aUser({ id: 'user-3', username: 'alan' }) }));
    await expect(db.user.count()).resolves.toBe(2);
  });

  it('lets others continue after a transaction timed out', async () => {
    const { db } = database;
    const slow = db.$transaction(
      async (inside) => {
        await inside.user.create({ data: aUser() });
        for (;;) await inside.user.count();
      },
      { timeout: 100 },
    );

    await expect(slow).rejects.toMatchObject({ code: 'P2028' });
    await expect(db.user.count()).resolves.toBe(0);
  });

  it('lets others continue after the database refused a COMMIT', async () => {
    const { db } = database;
    const broken = db.$transaction(async (inside) => {
      await inside.$executeRawUnsafe('PRAGMA defer_foreign_keys = ON');
      await inside.$executeRawUnsafe(`INSERT INTO "DagHead" ("dagName", "latestRunId") VALUES ('nightly', 'nowhere')`);
    });

    await expect(broken).rejects.toThrow();
    await expect(db.dagHead.count()).resolves.toBe(0);
    await expect(db.$transaction((inside) => inside.user.create({ data: aUser() }))).resolves.toMatchObject({
      id: 'user-1',
    });
  });

  it('does not fail while another process writes to the same file', async () => {
    const { db } = database;
    const url = await databases.migratedUrl();
    await (await databases.open(url)).db.user.create({ data: aUser() });
    const startFile = databases.folder.file('start');
    const script = path.join(__dirname, '__fixtures__/change-in-transactions.mjs');
    const args = ['--conditions=@weir/source', '--import', 'tsx', script, url, startFile, '200'];
    const starting = [1, 2].map(() => spawnProcess({ command: process.execPath, args }));
    const processes = await Promise.all(starting);
    await Promise.all(processes.map((process) => process.waitForOutput('ready', 20_000)));
    await writeFile(startFile, '');
    await Promise.all(processes.map((process) => process.exited));

    expect(processes.map((process) => process.stdout() + process.stderr())).toEqual([
      'ready\nfailed=0\n',
      'ready\nfailed=0\n',
    ]);
    const changed = (await databases.open(url)).db;
    await expect(changed.user.findFirstOrThrow()).resolves.toMatchObject({ tokenVersion: 400 });
    await expect(db.user.count()).resolves.toBe(0);
  }, 60_000);
});

describe('a file that another process has locked', () => {
  let databases: TestDatabases;
  let holder: SpawnedProcess | undefined;

  beforeAll(async () => {
    databases = await createTestDatabases('sqlite');
  });
  afterAll(async () => {
    await holder?.stop();
    await databases.remove();
  });

  it('is waited for while this process continues to read', async () => {
    const url = await databases.migratedUrl();
    const { db } = await databases.open(url);
    holder = await holdLock(url);
    let isStored = false;

    const write = db.user.create({ data: aUser() }).finally(() => {
      isStored = true;
    });
    const transaction = db.$transaction((inside) =>
      inside.user.create({ data: aUser({ id: 'user-2', username: 'grace' }) }),
    );
    // The holder is only told to end by code that runs while the write waits. A wait that blocks would fail first.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    await expect(db.user.count()).resolves.toBe(0);
    expect(isStored).toBe(false);
    await holder.stop({ signal: 'SIGTERM' });

    await expect(write).resolves.toMatchObject({ id: 'user-1' });
    await expect(transaction).resolves.toMatchObject({ id: 'user-2' });
    await expect(db.user.count()).resolves.toBe(2);
  });

  it('is waited for up to the limit, by a change and by a transaction', async () => {
    const url = await databases.migratedUrl();
    const { db } = await databases.open(url, { lockedMs: 50 });
    holder = await holdLock(url);

    const write = db.user.create({ data: aUser() }).catch(translatePrismaError);
    const transaction = db.$transaction((inside) => inside.user.create({ data: aUser() })).catch(translatePrismaError);

    await expect(write).resolves.toEqual({ kind: 'busy' });
    await expect(transaction).resolves.toEqual({ kind: 'busy' });
    await holder.stop({ signal: 'SIGTERM' });
    await expect(db.user.count()).resolves.toBe(0);
  });
});

async function holdLock(url: string): Promise<SpawnedProcess> {
  const script = path.join(__dirname, '__fixtures__/hold-lock.mjs');
  const holding = await spawnProcess({ command: process.execPath, args: [script, url.slice('file:'.length)] });
  await holding.waitForOutput('held', 20_000);
  return holding;
}
