import { waitFor } from '@weir/test-kit';
import type { Database } from './create-database';
import { createTestDatabases, providers, type TestDatabases } from './testing/test-databases';
import { aBrowserSession, aDagRun, anApiKey, aStep, aUser } from './testing/test-rows';
import { translatePrismaError } from './translate-prisma-error';
import { findUniqueConstraint, isUniqueConstraintName, uniqueConstraints } from './unique-constraints';

describe.each(providers)('translatePrismaError on %s', (provider) => {
  let databases: TestDatabases;
  let database: Database;

  beforeAll(async () => {
    databases = await createTestDatabases(provider);
    database = await databases.open();
    const { db } = database;
    await db.user.create({ data: aUser() });
    await db.apiKey.create({ data: anApiKey() });
    await db.browserSession.create({ data: aBrowserSession() });
    await db.dagRun.create({ data: aDagRun({ steps: { create: [aStep()] } }) });
    await db.dagHead.create({ data: { dagName: 'nightly', latestRunId: 'run-1' } });
    await db.dagFlag.create({ data: { fileName: 'a.yaml', suspended: true, updatedAt: new Date(0) } });
    await db.runner.create({
      data: { id: 'runner-1', host: 'h', pid: 1, startedAt: new Date(0), heartbeatAt: new Date(0) },
    });
  });
  afterAll(() => databases.remove());

  async function catchFailure(work: (db: Database['db']) => Promise<unknown>) {
    const error = await work(database.db).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    return translatePrismaError(error);
  }

  const step = { runId: 'run-1', status: 'queued', stdoutFile: '', stderrFile: '' };

  it.each<[string, string, (db: Database['db']) => Promise<unknown>]>([
    ['user_username_key', 'User', (db) => db.user.create({ data: aUser({ id: 'user-2' }) })],
    ['User_pkey', 'User', (db) => db.user.create({ data: aUser({ username: 'grace' }) })],
    ['api_key_name_key', 'ApiKey', (db) => db.apiKey.create({ data: anApiKey({ id: '2', keyDigest: '2' }) })],
    ['api_key_key_digest_key', 'ApiKey', (db) => db.apiKey.create({ data: anApiKey({ id: '2', name: '2' }) })],
    ['ApiKey_pkey', 'ApiKey', (db) => db.apiKey.create({ data: anApiKey({ name: '2', keyDigest: '2' }) })],
    [
      'browser_session_token_digest_key',
      'BrowserSession',
      (db) => db.browserSession.create({ data: aBrowserSession({ id: '2' }) }),
    ],
    [
      'BrowserSession_pkey',
      'BrowserSession',
      (db) => db.browserSession.create({ data: aBrowserSession({ tokenDigest: '2' }) }),
    ],
    ['dag_run_dag_name_dag_run_id_key', 'DagRun', (db) => db.dagRun.create({ data: aDagRun({ id: 'run-2' }) })],
    ['DagRun_pkey', 'DagRun', (db) => db.dagRun.create({ data: aDagRun({ dagRunId: '002' }) })],
    [
      'dag_run_step_run_id_scope_name_key',
      'DagRunStep',
      (db) => db.dagRunStep.create({ data: { ...step, position: 9, name: 'extract' } }),
    ],
    ['DagRunStep_pkey', 'DagRunStep', (db) => db.dagRunStep.create({ data: { ...step, position: 0, name: 'load' } })],
    ['DagHead_pkey', 'DagHead', (db) => db.dagHead.create({ data: { dagName: 'nightly', latestRunId: 'other' } })],
    [
      'dag_head_latest_run_id_key',
      'DagHead',
      (db) => db.dagHead.create({ data: { dagName: 'hourly', latestRunId: 'run-1' } }),
    ],
    [
      'DagFlag_pkey',
      'DagFlag',
      (db) => db.dagFlag.create({ data: { fileName: 'a.yaml', suspended: true, updatedAt: new Date(0) } }),
    ],
    [
      'Runner_pkey',
      'Runner',
      (db) =>
        db.runner.create({
          data: { id: 'runner-1', host: 'h', pid: 1, startedAt: new Date(0), heartbeatAt: new Date(0) },
        }),
    ],
  ])('names %s', async (constraint, model, work) => {
    await expect(catchFailure(work)).resolves.toEqual({ kind: 'unique', model, constraint });
  });

  it('names the constraint of an update and of many rows at once', async () => {
    const expected = { kind: 'unique', model: 'User', constraint: 'user_username_key' };
    const rows = [aUser({ id: 'user-8', username: 'same' }), aUser({ id: 'user-9', username: 'same' })];
    await expect(catchFailure((db) => db.user.createMany({ data: rows }))).resolves.toEqual(expected);

    await database.db.user.create({ data: aUser({ id: 'user-3', username: 'grace' }) });
    const rename = (db: Database['db']) => db.user.update({ where: { id: 'user-3' }, data: { username: 'ada' } });
    await expect(catchFailure(rename)).resolves.toEqual(expected);
  });

  it('reports a missing row', async () => {
    const where = { id: 'nobody' };
    await expect(catchFailure((db) => db.user.delete({ where }))).resolves.toEqual({ kind: 'not_found' });
    await expect(catchFailure((db) => db.user.update({ where, data: { role: 'viewer' } }))).resolves.toEqual({
      kind: 'not_found',
    });
    await expect(catchFailure((db) => db.user.findUniqueOrThrow({ where }))).resolves.toEqual({ kind: 'not_found' });
  });

  it('reports a violated foreign key', async () => {
    const data = { ...step, runId: 'nowhere', position: 0, name: 'extract' };
    await expect(catchFailure((db) => db.dagRunStep.create({ data }))).resolves.toEqual({ kind: 'foreign_key' });
    await expect(catchFailure((db) => db.dagRun.delete({ where: { id: 'run-1' } }))).resolves.toEqual({
      kind: 'foreign_key',
    });
  });

  it('reports that PostgreSQL closed the connection while stopping', async () => {
    if (provider === 'sqlite') return;
    const asleep = catchFailure((db) => db.$queryRawUnsafe('SELECT pg_sleep(20)::text'));
    const end = `SELECT count(pg_terminate_backend(pid))::int AS "ended" FROM pg_stat_activity
                  WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`;
    await waitFor(async () => (await database.db.$queryRawUnsafe<{ ended: number }[]>(end))[0]?.ended, {
      what: 'the sleeping query to be found and ended',
    });

    await expect(asleep).resolves.toEqual({ kind: 'unreachable' });
  });

  it('ignores everything else', async () => {
    await expect(catchFailure((db) => db.$queryRawUnsafe('SELECT * FROM "Nowhere"'))).resolves.toBeUndefined();
    expect(translatePrismaError(new Error('other'))).toBeUndefined();
    expect(translatePrismaError({ code: 'P2002' })).toBeUndefined();
    expect(translatePrismaError(undefined)).toBeUndefined();
  });

  it('recognizes every unique index and primary key that the migrations create', async () => {
    const found = provider === 'sqlite' ? await sqliteKeys(database) : await postgresKeys(database);
    const known = Object.keys(uniqueConstraints).filter(isUniqueConstraintName);
    expect(found.toSorted()).toEqual(known.toSorted());
  });
});

async function sqliteKeys({ db }: Database): Promise<readonly string[]> {
  const rows = await db.$queryRawUnsafe<readonly { table: string; index: string; columns: string }[]>(`
    SELECT t.name AS "table", i.name AS "index", (SELECT group_concat(c.name) FROM pragma_index_info(i.name) c) AS "columns"
      FROM pragma_table_list t, pragma_index_list(t.name) i
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '\\_%' ESCAPE '\\' AND i."unique" = 1`);
  return rows.map(({ table, index, columns }) => {
    const name = findUniqueConstraint(table, columns.split(','));
    // SQLite names a primary key's index itself; every other index has the name from the models.
    return index.startsWith('sqlite_autoindex_') ? String(name) : name === index ? index : `unknown ${index}`;
  });
}

async function postgresKeys({ db }: Database): Promise<readonly string[]> {
  const rows = await db.$queryRawUnsafe<readonly { name: string; table: string; columns: readonly string[] }[]>(`
    SELECT i.relname::text AS "name", t.relname::text AS "table", array_agg(a.attname::text) AS "columns"
      FROM pg_index x
      JOIN pg_class i ON i.oid = x.indexrelid
      JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (x.indkey)
     WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace AND t.relname <> '_prisma_migrations'
     GROUP BY 1, 2`);
  return rows.map(({ name, table, columns }) =>
    findUniqueConstraint(table, columns) === name ? name : `unknown ${name}`,
  );
}

describe('translatePrismaError on a full disk', () => {
  let databases: TestDatabases;
  let db: Database['db'];
  const large = aUser({ id: 'large', username: 'large', usernameKey: 'large', passwordHash: 'x'.repeat(100_000) });

  beforeAll(async () => {
    databases = await createTestDatabases('sqlite');
    ({ db } = await databases.open());
    // To SQLite, a file that may not grow is a full disk.
    await db.$queryRawUnsafe('PRAGMA max_page_count = 1');
  });
  afterAll(() => databases.remove());

  it.each<[string, () => Promise<unknown>]>([
    ['a query', () => db.user.create({ data: large })],
    ['a transaction', () => db.$transaction((inside) => inside.user.create({ data: large }))],
    [
      'a statement',
      () =>
        db.$executeRawUnsafe(
          `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('1', ?, '1')`,
          'x'.repeat(100_000),
        ),
    ],
  ])('knows the failure of %s, after which reads go on', async (_case, store) => {
    const failure: unknown = await store().catch((error: unknown) => error);

    expect(translatePrismaError(failure)).toEqual({ kind: 'full' });
    await expect(db.user.count()).resolves.toBe(0);
  });
});
