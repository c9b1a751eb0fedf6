import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnProcess, waitFor } from '@weir/test-kit';
import Sqlite from 'better-sqlite3';
import { applyMigrations } from './apply-migrations';
import { findPendingMigrations } from './check-database-sound';
import { parseDatabaseUrl } from './database-url';
import { createTestDatabases, migrationsFolder, providers, type TestDatabases } from './testing/test-databases';
import { aUser } from './testing/test-rows';

describe.each(providers)('applyMigrations on %s', (provider) => {
  let databases: TestDatabases;
  let copies = 0;

  beforeAll(async () => {
    databases = await createTestDatabases(provider);
  });
  afterAll(() => databases.remove());

  /** The real migrations in a folder of their own, with one more. */
  async function folderWith(sql: string): Promise<{ folder: string; file: string; name: string }> {
    copies += 1;
    const folder = databases.folder.file(`migrations-${copies}`);
    const name = '29990101000000_add_more';
    await cp(migrationsFolder, folder, { recursive: true });
    await mkdir(path.join(folder, provider, name));
    const file = path.join(folder, provider, name, 'migration.sql');
    await writeFile(file, sql);
    return { folder, file, name };
  }

  it('creates a working database, and applies nothing the second time', async () => {
    const url = await databases.emptyUrl();
    const first = await applyMigrations({ url, folder: migrationsFolder });
    const second = await applyMigrations({ url, folder: migrationsFolder });
    const { db } = await databases.open(url);

    expect(first.applied[0]).toBe('20261121000000_create_tables');
    expect(second.applied).toEqual([]);
    await expect(db.user.create({ data: aUser() })).resolves.toMatchObject({ username: 'ada' });
  });

  it('applies the migrations of an upgrade and keeps the rows', async () => {
    const url = await databases.migratedUrl();
    const { db } = await databases.open(url);
    await db.user.create({ data: aUser() });
    const { folder, name } = await folderWith('CREATE TABLE "More" ("id" TEXT NOT NULL PRIMARY KEY);');

    await expect(applyMigrations({ url, folder })).resolves.toMatchObject({ applied: [name] });
    await expect(db.user.count()).resolves.toBe(1);
  });

  it('is foreseen without a change: what is pending, and that a database is too new', async () => {
    const url = await databases.emptyUrl();
    await applyMigrations({ url, folder: migrationsFolder, version: '1.4.0' });
    const { folder, name } = await folderWith('CREATE TABLE "More" ("id" TEXT NOT NULL PRIMARY KEY);');
    const location = parseDatabaseUrl(url);
    const foresee = (options: { readonly folder: string; readonly version: string }) =>
      findPendingMigrations({ location, ...options });

    await expect(foresee({ folder, version: '1.5.0' })).resolves.toEqual([name]);
    await applyMigrations({ url, folder, version: '1.5.0' });
    await expect(foresee({ folder, version: '1.5.0' })).resolves.toEqual([]);
    await expect(foresee({ folder: migrationsFolder, version: '1.4.0' })).resolves.toEqual([]);
    await expect(foresee({ folder: migrationsFolder, version: '1.3.0' })).rejects.toMatchObject({
      reason: 'database_newer',
    });
  });

  it('recognizes a database again, even after an upgrade', async () => {
    const url = await databases.emptyUrl();
    const { instance } = await applyMigrations({ url, folder: migrationsFolder });
    const { folder } = await folderWith('CREATE TABLE "More" ("id" TEXT NOT NULL PRIMARY KEY);');

    await expect(applyMigrations({ url, folder, instance })).resolves.toMatchObject({ instance });
  });

  it('refuses an empty database and a different one when a certain one is expected', async () => {
    const empty = await databases.emptyUrl();
    const instance = '00000000-0000-0000-0000-000000000000';

    await expect(applyMigrations({ url: empty, folder: migrationsFolder, instance })).rejects.toMatchObject({
      reason: 'database_empty',
    });
    await applyMigrations({ url: empty, folder: migrationsFolder });
    await expect(applyMigrations({ url: empty, folder: migrationsFolder, instance })).rejects.toMatchObject({
      reason: 'database_replaced',
    });
  });

  it('refuses a database of a newer version', async () => {
    const url = await databases.emptyUrl();
    const { folder, name } = await folderWith('CREATE TABLE "More" ("id" TEXT NOT NULL PRIMARY KEY);');
    await applyMigrations({ url, folder });

    await expect(applyMigrations({ url, folder: migrationsFolder })).rejects.toMatchObject({
      reason: 'database_newer',
      message: expect.stringContaining(name) as string,
    });
  });

  it('refuses a migration that was edited after it was applied', async () => {
    const url = await databases.emptyUrl();
    const { folder, file } = await folderWith('CREATE TABLE "More" ("id" TEXT NOT NULL PRIMARY KEY);');
    await applyMigrations({ url, folder });
    await writeFile(file, 'CREATE TABLE "Less" ("id" TEXT NOT NULL PRIMARY KEY);');

    await expect(applyMigrations({ url, folder })).rejects.toMatchObject({ reason: 'migration_edited' });
  });

  it('refuses a migration that another tool left unfinished', async () => {
    const url = await databases.migratedUrl();
    const { db } = await databases.open(url);
    await db.$executeRawUnsafe('UPDATE "_prisma_migrations" SET "finished_at" = NULL');

    await expect(applyMigrations({ url, folder: migrationsFolder })).rejects.toMatchObject({
      reason: 'migration_unfinished',
    });
  });

  it('rolls back a migration that fails', async () => {
    const url = await databases.migratedUrl();
    const { folder, file, name } = await folderWith(
      'CREATE TABLE "More" ("id" TEXT); INSERT INTO "Nowhere" VALUES (1);',
    );

    await expect(applyMigrations({ url, folder })).rejects.toMatchObject({ reason: 'migration_failed' });
    await writeFile(file, 'CREATE TABLE "More" ("id" TEXT NOT NULL PRIMARY KEY);');
    await expect(applyMigrations({ url, folder })).resolves.toMatchObject({ applied: [name] });
  });

  it('changes nothing in verify mode', async () => {
    const empty = await databases.emptyUrl();
    const migrated = await databases.migratedUrl();

    await expect(applyMigrations({ url: empty, folder: migrationsFolder, mode: 'verify' })).rejects.toMatchObject({
      reason: 'migrations_pending',
    });
    await expect(applyMigrations({ url: empty, folder: migrationsFolder })).resolves.not.toMatchObject({ applied: [] });
    await expect(applyMigrations({ url: migrated, folder: migrationsFolder, mode: 'verify' })).resolves.toMatchObject({
      applied: [],
    });
  });

  it('names a folder without migrations', async () => {
    const url = await databases.emptyUrl();
    await expect(applyMigrations({ url, folder: databases.folder.path })).rejects.toMatchObject({
      reason: 'migrations_missing',
    });
  });

  it('applies each migration once when three processes start together', async () => {
    const url = await databases.emptyUrl();
    const script = path.join(__dirname, '__fixtures__/apply-migrations.mjs');
    const args = ['--conditions=@weir/source', '--import', 'tsx', script, url, migrationsFolder];
    const starting = Array.from({ length: 3 }, () => spawnProcess({ command: process.execPath, args }));
    const processes = await Promise.all(starting);
    const exits = await Promise.all(processes.map((process) => process.exited));

    expect(processes.map((process) => process.stderr())).toEqual(['', '', '']);
    expect(exits.map((exit) => exit.code)).toEqual([0, 0, 0]);
    const { db } = await databases.open(url);
    const rows = await db.$queryRawUnsafe<unknown[]>('SELECT "migration_name" FROM "_prisma_migrations"');
    expect(rows).toHaveLength(new Set(rows.map((row) => JSON.stringify(row))).size);
    const counts = processes.map((process) => Number(process.stdout()));
    expect(counts.toSorted((left, right) => left - right)).toEqual([0, 0, rows.length]);
  });
});

describe('applyMigrations', () => {
  it('waits for another process that writes to a new SQLite file, without holding the thread', async () => {
    const databases = await createTestDatabases('sqlite');
    const file = databases.folder.file('weir.db');
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE; CREATE TABLE "Other" ("id" TEXT)');
    const pragma = jest.spyOn(Sqlite.prototype, 'pragma');

    const migrating = applyMigrations({ url: `file:${file}`, folder: migrationsFolder });
    await waitFor(() => pragma.mock.results.some(({ type }) => type === 'throw'), { what: 'the lock to be met' });
    pragma.mockRestore();
    other.exec('COMMIT');

    await expect(migrating).resolves.not.toMatchObject({ applied: [] });
    other.close();
    await databases.remove();
  });

  it('creates a SQLite file that only its owner can read', async () => {
    const databases = await createTestDatabases('sqlite');
    const file = databases.folder.file('new', 'weir.db');
    await applyMigrations({ url: `file:${file}`, folder: migrationsFolder });

    const { mode } = await stat(file);
    expect(mode & 0o777).toBe(0o600);
    await databases.remove();
  });

  it('reports that the server cannot be reached', async () => {
    await expect(
      applyMigrations({ url: 'postgres://weir:secret@127.0.0.1:1/weir', folder: migrationsFolder }),
    ).rejects.toMatchObject({
      reason: 'database_unreachable',
      message: expect.not.stringContaining('secret') as string,
    });
  });
});
