import { createDatabase } from '../create-database';
import { parseDatabaseUrl, type DatabaseProvider } from '../database-url';
import type { Db } from '../db';
import { Prisma } from '../generated/sqlite/client';
import { lockSqliteFile } from '../lock-sqlite-file';
import { fillEveryTable } from '../testing/fill-every-table';
import { createTestDatabases, migrationsFolder, providers, type TestDatabases } from '../testing/test-databases';
import { aDagRun, aUser } from '../testing/test-rows';
import { createWorkerLocks } from '../worker-locks';
import { copiedTables, type CopiedTable } from './copied-tables';
import { assertNotCopying, copyDatabase, type CopyDatabaseOptions } from './copy-database';

it('copies every table', () => {
  const names = copiedTables.map(({ name }) => name);
  const others = ['QueueShare', 'QueueDispatch', 'StoreCopy', 'RunText', 'RunTextDue'];
  expect([...names, ...others].sort()).toEqual(Object.values(Prisma.ModelName).sort());
});

describe.each([
  ['sqlite', 'postgresql'],
  ['postgresql', 'sqlite'],
] as const)('copyDatabase from %s to %s', (sourceKind, targetKind) => {
  const kinds = {} as Record<DatabaseProvider, TestDatabases>;

  beforeAll(async () => {
    for (const provider of providers) kinds[provider] = await createTestDatabases(provider);
  });
  afterAll(() => Promise.all(providers.map((provider) => kinds[provider].remove())));

  const sourceUrl = async (fill: (db: Db) => Promise<unknown>): Promise<string> => {
    const url = await kinds[sourceKind].migratedUrl();
    await withDatabase(url, fill);
    return url;
  };
  const copy = (from: string, to: string, more: Partial<CopyDatabaseOptions> = {}): Promise<void> =>
    copyDatabase({ from, to, migrationsFolder, ...more });

  it('copies every row with every value, and counts them', async () => {
    const from = await sourceUrl(fillEveryTable);
    const to = await kinds[targetKind].emptyUrl();
    const compared = new Map<string, number>();
    await copy(from, to, { onCompared: (table, { rows }) => compared.set(table, rows) });

    for (const table of copiedTables) {
      const [expected, found] = await Promise.all(
        [from, to].map((url) => withDatabase(url, (db) => rowsOf(db, table))),
      );
      expect({ table: table.name, rows: found }).toEqual({ table: table.name, rows: expected });
      expect(compared.get(table.name)).toBe(expected?.length);
      expect(expected?.length).toBeGreaterThan(0);
    }
  });

  it('copies runs before the runs that they started, for any ids', async () => {
    const from = await sourceUrl(async (db) => {
      await db.dagRun.create({ data: aDagRun({ id: 'z', dagRunId: 'z' }) });
      for (let depth = 1; depth <= 3; depth += 1) {
        const parent = { connect: { id: depth === 1 ? 'z' : `${4 - depth}` } };
        await db.dagRun.create({ data: aDagRun({ id: `${3 - depth}`, dagRunId: `${depth}`, depth, parent }) });
      }
    });
    const to = await kinds[targetKind].emptyUrl();
    await copy(from, to);
    await expect(withDatabase(to, (db) => db.dagRun.count())).resolves.toBe(4);
  });

  it('continues after an interruption, and refuses the target until then', async () => {
    const from = await sourceUrl(async (db) => {
      await db.dagRun.createMany({
        data: Array.from({ length: 450 }, (_, index) => aDagRun({ id: `${index}`, dagRunId: `${index}` })),
      });
    });
    const to = await kinds[targetKind].emptyUrl();
    const stored: number[] = [];
    const interrupted = copy(from, to, {
      onRows: (table, count) => {
        stored.push(count);
        if (table === 'DagRun') throw new Error('interrupted');
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    await expect(withDatabase(to, (db) => assertNotCopying({ db }))).rejects.toMatchObject({
      reason: 'copy_unfinished',
    });

    await copy(from, to, { onRows: (_, count) => stored.push(count) });
    expect(stored).toEqual([200, 200, 50]);
    await withDatabase(to, (db) => assertNotCopying({ db }));
  });

  it('refuses to finish a copy whose source was changed meanwhile', async () => {
    const from = await sourceUrl((db) => db.user.create({ data: aUser() }));
    const to = await kinds[targetKind].emptyUrl();
    const stop = (): void => {
      throw new Error('interrupted');
    };
    await expect(copy(from, to, { onRows: stop })).rejects.toThrow('interrupted');
    await withDatabase(from, (db) => db.user.updateMany({ data: { role: 'viewer' } }));
    await expect(copy(from, to)).rejects.toMatchObject({
      reason: 'copy_differs',
      message: expect.stringContaining('User') as string,
    });
  });

  it('refuses a target with rows of its own, and one that is a copy of another database', async () => {
    const from = await sourceUrl((db) => db.user.create({ data: aUser() }));
    const to = await kinds[targetKind].migratedUrl();
    await withDatabase(to, (db) => db.user.create({ data: aUser() }));
    await expect(copy(from, to)).rejects.toMatchObject({ reason: 'copy_target_not_empty' });

    await withDatabase(to, (db) =>
      db.storeCopy.create({ data: { tableName: 'User', source: 'another', lastKey: [], isDone: true } }),
    );
    await expect(copy(from, to)).rejects.toMatchObject({ reason: 'copy_of_another' });
    await expect(copy(to, await kinds[sourceKind].emptyUrl())).rejects.toMatchObject({ reason: 'copy_unfinished' });
  });

  it('refuses a source and a target that are in use', async () => {
    const from = await kinds[sourceKind].migratedUrl();
    const to = await kinds[targetKind].migratedUrl();
    for (const url of [from, to]) {
      for (const use of usersOf(url)) {
        const { reason, release } = await use();
        await expect(copy(from, to)).rejects.toMatchObject({ reason });
        await release();
      }
    }
    await copy(from, to);
  });
});

async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const database = await createDatabase({ url });
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

/** The rows as Prisma reads them, sorted the same way for both databases. */
async function rowsOf(db: Db, { name, key }: CopiedTable): Promise<readonly unknown[]> {
  const clients = db as unknown as Readonly<Record<string, { findMany(): Promise<Record<string, unknown>[]> }>>;
  const rows = await clients[`${name.charAt(0).toLowerCase()}${name.slice(1)}`]?.findMany();
  const textOf = (row: Record<string, unknown>): string => JSON.stringify(key.map((column) => row[column]));
  return (rows ?? []).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

interface DatabaseUser {
  /** The reason with which the copy is refused. */
  readonly reason: string;
  readonly release: () => Promise<void>;
}

function usersOf(url: string): readonly (() => Promise<DatabaseUser>)[] {
  const location = parseDatabaseUrl(url);
  if (location.provider === 'postgresql') {
    return [async () => ({ reason: 'database_has_workers', release: (await createDatabase({ url })).close })];
  }
  const held = (reason: string, lock: { readonly release: () => void }): Promise<DatabaseUser> =>
    Promise.resolve({
      reason,
      release: () => {
        lock.release();
        return Promise.resolve();
      },
    });
  return [
    () => held('database_in_use', lockSqliteFile(location.file)),
    () => held('database_has_workers', createWorkerLocks(location.file).hold('worker-1')),
  ];
}
