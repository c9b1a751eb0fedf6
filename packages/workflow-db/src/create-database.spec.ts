import { createDatabase } from './create-database';
import { createTestDatabases, providers, type TestDatabases } from './testing/test-databases';
import { aDagRun, aStep, aUser, anApiKey } from './testing/test-rows';

describe.each(providers)('createDatabase on %s', (provider) => {
  let databases: TestDatabases;

  beforeAll(async () => {
    databases = await createTestDatabases(provider);
  });
  afterAll(() => databases.remove());

  it('returns stored values: JSON, times to the millisecond, text of any script, null', async () => {
    const { db } = await databases.open();
    const workspaceAccess = { all: false, grants: [{ workspace: 'ops', role: 'viewer' }], note: null };
    const expiresAt = new Date('2030-12-31T23:59:59.999Z');
    const user = aUser({ username: 'Žofie 🚀', workspaceAccess });
    await db.user.create({ data: user });
    await db.apiKey.create({ data: anApiKey({ expiresAt }) });

    await expect(db.user.findUniqueOrThrow({ where: { username: 'Žofie 🚀' } })).resolves.toEqual({
      ...user,
      isDisabled: false,
      authProvider: 'builtin',
      externalId: null,
      tokenVersion: 0,
    });
    await expect(db.apiKey.findFirstOrThrow()).resolves.toMatchObject({ expiresAt, lastUsedAt: null });
  });

  it('compares user names case-sensitively', async () => {
    const { db } = await databases.open();
    await db.user.create({ data: aUser() });
    await db.user.create({ data: aUser({ id: 'user-2', username: 'Ada' }) });

    await expect(db.user.findUnique({ where: { username: 'ADA' } })).resolves.toBeNull();
    await expect(db.user.count({ where: { usernameKey: 'ada' } })).resolves.toBe(2);
  });

  it('deletes the steps of a run with the run, and not the newest run of a DAG', async () => {
    const { db } = await databases.open();
    const steps = { create: [aStep(), aStep({ position: 1, name: 'load' })] };
    await db.dagRun.create({ data: aDagRun({ steps }) });
    await db.dagHead.create({ data: { dagName: 'nightly', latestRunId: 'run-1' } });

    await expect(db.dagRun.delete({ where: { id: 'run-1' } })).rejects.toThrow();
    await db.dagHead.delete({ where: { dagName: 'nightly' } });
    await db.dagRun.delete({ where: { id: 'run-1' } });
    await expect(db.dagRunStep.count()).resolves.toBe(0);
  });

  it('sorts times chronologically', async () => {
    const { db } = await databases.open();
    const moments = ['2026-01-10T00:00:00Z', '2026-01-09T23:59:59.999Z', '2025-12-31T00:00:00Z'];
    for (const [index, moment] of moments.entries()) {
      await db.dagRun.create({
        data: aDagRun({ id: `run-${index}`, dagRunId: `${index}`, createdAt: new Date(moment) }),
      });
    }
    const newest = await db.dagRun.findMany({ orderBy: [{ createdAt: 'desc' }, { dagName: 'desc' }, { id: 'desc' }] });

    expect(newest.map((run) => run.id)).toEqual(['run-0', 'run-1', 'run-2']);
    await expect(db.dagRun.count({ where: { createdAt: { gte: new Date('2026-01-01T00:00:00Z') } } })).resolves.toBe(2);
  });

  it('reads another revision after each commit, even of other connections, if the database reports it', async () => {
    const url = await databases.migratedUrl();
    const [one, other] = [await createDatabase({ url }), await createDatabase({ url })];
    const before = one.readRevision();
    await one.db.user.count();
    const afterReading = one.readRevision();
    await one.db.user.create({ data: aUser() });
    const afterOwn = one.readRevision();
    await other.db.user.create({ data: aUser({ id: 'user-2', username: 'grace', usernameKey: 'grace' }) });
    const afterOther = one.readRevision();
    await Promise.all([one.close(), other.close()]);

    const isKnown = provider === 'sqlite';
    expect(afterReading).toBe(before);
    expect(new Set([before, afterOwn, afterOther]).size).toBe(isKnown ? 3 : 1);
  });

  it('closes once', async () => {
    const database = await createDatabase({ url: await databases.migratedUrl() });
    expect(database.provider).toBe(provider);
    expect(database.close()).toBe(database.close());
    await expect(database.close()).resolves.toBeUndefined();
  });
});

describe('createDatabase', () => {
  it('configures SQLite to keep acknowledged writes', async () => {
    const databases = await createTestDatabases('sqlite');
    const url = await databases.migratedUrl();
    const { db, close } = await createDatabase({ url });
    const read = async (name: string) => {
      const rows = await db.$queryRawUnsafe<readonly Record<string, unknown>[]>(`PRAGMA ${name}`);
      return String(Object.values(rows[0] ?? {})[0]);
    };

    const normal = '1';
    await expect(read('journal_mode')).resolves.toBe('wal');
    await expect(read('synchronous')).resolves.toBe(normal);
    // Waiting is done by the adapter, because SQLite's own would block the thread.
    await expect(read('busy_timeout')).resolves.toBe('0');
    await expect(read('foreign_keys')).resolves.toBe('1');
    await close();
    await databases.remove();
  });

  it('waits for the disk when configured to', async () => {
    const databases = await createTestDatabases('sqlite');
    const { db, close } = await createDatabase({ url: await databases.migratedUrl(), sqliteSynchronous: 'full' });

    await expect(db.$queryRawUnsafe('PRAGMA synchronous')).resolves.toEqual([{ synchronous: 2n }]);
    await close();
    await databases.remove();
  });

  it.each([
    ['a server that is not there', 'postgres://weir:secret@127.0.0.1:1/weir'],
    ['a folder that cannot be made', 'file:/dev/null/weir.db'],
  ])('refuses %s without repeating the URL', async (_, url) => {
    await expect(createDatabase({ url })).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'database_unreachable',
      message: expect.not.stringContaining('secret') as string,
    });
  });

  it('waits a limited time for a PostgreSQL connection', async () => {
    const databases = await createTestDatabases('postgresql');
    const { db, close } = await createDatabase({
      url: await databases.migratedUrl(),
      maxConnections: 1,
      connectionTimeoutMs: 3_000,
    });
    await db.$transaction(async (inside) => {
      await inside.user.count();
      await expect(db.user.count()).rejects.toThrow();
    });
    await close();
    await databases.remove();
  });

  it('releases the locks of a transaction whose process is paused', async () => {
    const databases = await createTestDatabases('postgresql');
    const url = await databases.migratedUrl();
    const paused = await createDatabase({ url, idleInTransactionMs: 100 });
    const other = await databases.open(url);
    const lock = 'SELECT 1 AS "held" FROM pg_advisory_xact_lock(1)';
    let goOn = (): void => undefined;
    const isPaused = new Promise<void>((resolve) => (goOn = resolve));
    const holding = paused.db
      .$transaction(
        async (transaction) => {
          await transaction.$queryRawUnsafe(lock);
          await isPaused;
        },
        { timeout: 60_000 },
      )
      .catch(() => undefined);

    await expect(
      other.db.$transaction(
        async (transaction) => {
          await transaction.$executeRawUnsafe("SET LOCAL lock_timeout = '20s'");
          return transaction.$queryRawUnsafe(lock);
        },
        { timeout: 30_000 },
      ),
    ).resolves.toEqual([{ held: 1 }]);
    goOn();
    await holding;
    await paused.close();
    await databases.remove();
  }, 60_000);
});
