import { readFile, readdir, writeFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { startPostgres, waitFor, type TestDatabase, type TestPostgres } from '@weir/test-kit';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';

let postgres: TestPostgres;
let database: TestDatabase;
let fixture: ActionFixture;

beforeAll(async () => {
  postgres = await startPostgres();
}, 90_000);
afterAll(() => postgres.stop());
beforeEach(async () => {
  database = await postgres.createDatabase();
  fixture = await actionFixture();
});
afterEach(async () => {
  await fixture.remove();
  await database.drop();
});

async function succeed(action: ExecutableActionName, settings: JsonObject): Promise<string> {
  const { outcome, stdout, stderr } = await fixture.run(action, { dsn: database.url, ...settings });
  if (outcome.status !== 'succeeded') throw new Error(`${outcome.error ?? ''} ${stderr}`);
  return stdout;
}

async function readFailure(action: ExecutableActionName, settings: JsonObject, options: RunOptions = {}) {
  const { outcome, stderr } = await fixture.run(action, { dsn: database.url, ...settings }, options);
  expect(outcome.status).toBe('failed');
  return { error: outcome.error, stderr };
}

const query = (text: string, more: JsonObject = {}) => succeed('postgres.query', { query: text, ...more });
const createOrders = () =>
  query(`create table orders (id int primary key, name text, day date);
    insert into orders values (1, 'a, "b"', '2026-11-21'), (2, null, null)`);

/** Waits until the server executes what contains the words. */
async function untilExecuted(words: string): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const isActive = async () => {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()`,
      [`%${words}%`],
    );
    return rowCount === 1 || undefined;
  };
  await waitFor(isActive, { deadlineMs: 30_000, what: 'the statement to be executed' });
  return client;
}

describe('postgres.query', () => {
  it.each([
    [{}, '{"id":1,"name":"a, \\"b\\"","day":"2026-11-21"}\n{"id":2,"name":null,"day":null}\n'],
    [{ output_format: 'csv', headers: true }, 'id,name,day\n1,"a, ""b""",2026-11-21\n2,,\n'],
    [{ output_format: 'json', max_rows: 1 }, '[\n{"id":1,"name":"a, \\"b\\"","day":"2026-11-21"}\n]\n'],
  ])('prints rows with %j', async (more, printed) => {
    await createOrders();
    expect(await query('select * from orders order by id', more)).toBe(printed);
  });

  it.each([
    [['2026-11-21'], 'day = $1'],
    [{ day: '2026-11-21' }, `day = :day and name::text <> ':day'`],
    [[[1, 5]], 'id in (select value::int from json_array_elements_text($1::json))'],
  ])('accepts values %j', async (params, condition) => {
    await createOrders();
    expect(await query(`select id from orders where ${condition}`, { params })).toBe('{"id":1}\n');
  });

  it('prints exact numbers, documents and booleans by their types', async () => {
    const text = `select 9007199254740993 as big, 1.10::numeric as exact, '{"a":[1]}'::jsonb as doc, true as yes`;
    expect(await query(text)).toBe('{"big":"9007199254740993","exact":"1.10","doc":{"a":[1]},"yes":true}\n');
  });

  it('writes rows to a file, which is complete or does not exist', async () => {
    await query('select generate_series(1, 3) as n', { output_file: 'rows.jsonl' });
    expect(await readFile(fixture.path('rows.jsonl'), 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
    await readFailure('postgres.query', { query: 'select 1 / (3 - generate_series(1, 3))', output_file: 'x' });
    expect((await readdir(fixture.folder)).sort()).toEqual(['logs', 'rows.jsonl']);
  });

  it('does not read more rows into memory than it prints at once', async () => {
    const { outcome, stdout } = await fixture.run('postgres.query', {
      dsn: database.url,
      query: 'select generate_series(1, 200000) as n',
    });
    expect(outcome.outputs?.declared).toEqual([{ name: 'rows', value: 200_000 }]);
    expect(stdout.endsWith('{"n":200000}\n')).toBe(true);
  });

  it('changes nothing when a statement of a transaction fails', async () => {
    await createOrders();
    const text = 'delete from orders; insert into missing values (1)';
    const { error, stderr } = await readFailure('postgres.query', {
      query: text,
      transaction: true,
      isolation_level: 'repeatable_read',
    });
    expect(error).toBe('The database refused this (SQLSTATE 42P01).');
    expect(stderr).toContain('relation "missing" does not exist');
    expect(await query('select count(*) as n from orders')).toBe('{"n":2}\n');
  });

  it('uses the isolation level that it is given', async () => {
    const text = `select current_setting('transaction_isolation') as level`;
    expect(await query(text, { isolation_level: 'read_uncommitted' })).toBe('{"level":"read uncommitted"}\n');
  });

  it('waits for its lock', async () => {
    const settings = { dsn: database.url, advisory_lock: 'nightly' };
    const held = fixture.run('postgres.query', { ...settings, query: 'select pg_sleep(3600) as held' });
    const client = await untilExecuted('as held');
    const { error } = await readFailure('postgres.query', { ...settings, query: 'select 1', timeout: '300ms' });
    expect(error).toBe('There was no end within 0.3 seconds.');
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%as held%' and pid <> pg_backend_pid()`,
    );
    expect((await held).outcome.status).toBe('failed');
    await client.end();
    expect(await query('select 1 as n', { advisory_lock: 'nightly' })).toBe('{"n":1}\n');
  });

  it('cancels the statement of a stopped step on the server', async () => {
    const stop = new AbortController();
    const settings = { dsn: database.url, query: 'select pg_sleep(3600) as stopped' };
    const running = fixture.run('postgres.query', settings, { signal: stop.signal });
    const client = await untilExecuted('as stopped');
    stop.abort();
    expect((await running).outcome.status).toBe('aborted');
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where state = 'active' and query like '%as stopped%' and pid <> pg_backend_pid()`,
    );
    await client.end();
    expect(rowCount).toBe(0);
  });

  it('accepts a server as keywords, too', async () => {
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const dsn = `host=${hostname} port=${port} user=${username} password='${password}' dbname=${pathname.slice(1)} sslmode=disable`;
    expect(await query('select 1 as n', { dsn })).toBe('{"n":1}\n');
  });

  it.each([
    ['no server', 'postgres://u:hunter2@127.0.0.1:1/x', /cannot be reached.*ECONNREFUSED/],
    ['an unknown word', 'host=127.0.0.1 service=hunter2', /dsn has a word that is not supported: service/],
    ['no dsn at all', 'hunter2', /dsn is neither/],
  ])('fails on %s, without the password', async (_, dsn, expected) => {
    const { error, stderr } = await readFailure('postgres.query', { dsn, query: 'select 1' });
    expect(error).toMatch(expected);
    expect(`${error ?? ''}${stderr}`).not.toContain('hunter2');
  });
});

describe('postgres.import', () => {
  beforeEach(async () => {
    await query('create table "Orders" (id int primary key, name text)');
  });

  const settings = { input_file: 'in.csv', table: 'public.Orders' };
  const load = (more: JsonObject = {}) => succeed('postgres.import', { ...settings, ...more });
  const put = (text: string, name = 'in.csv') => writeFile(fixture.path(name), text);

  it.each([
    ['csv', 'in.csv', 'id,name\n1,"a, b"\n2,\n3,""\n'],
    ['jsonl', 'in.jsonl', '{"id":1,"name":"a, b"}\n{"id":2}\n{"name":"","id":3}\n'],
  ])('imports %s', async (_, input_file, text) => {
    await put(text, input_file);
    expect(await load({ input_file, batch_size: 2 })).toBe('{"read":3,"imported":3,"skipped":0}\n');
    const rows = await query('select id from "Orders" where name is null');
    expect(rows).toBe('{"id":2}\n');
  });

  it.each([
    ['ignore', '{"read":3,"imported":1,"skipped":2}\n', 'old'],
    ['replace', '{"read":3,"imported":3,"skipped":0}\n', 'newest'],
  ])('handles existing rows by on_conflict: %s', async (on_conflict, printed, name) => {
    await query(`insert into "Orders" values (1, 'old')`);
    await put('id,name\n1,new\n2,b\n1,newest\n');
    expect(await load({ on_conflict })).toBe(printed);
    expect(await query('select name from "Orders" where id = 1')).toBe(`{"name":"${name}"}\n`);
  });

  it('imports nothing when one row is refused', async () => {
    await put('id,name\n1,a\nx,b\n');
    const { error, stderr } = await readFailure('postgres.import', { ...settings, batch_size: 1 });
    expect(error).toBe('The database refused this (SQLSTATE 22P02).');
    expect(stderr).toContain('invalid input syntax for type integer');
    expect(await query('select count(*) as n from "Orders"')).toBe('{"n":0}\n');
  });

  it('replaces rows only by a primary key', async () => {
    await query('create table plain (id int)');
    await put('id\n1\n');
    const { error } = await readFailure('postgres.import', { ...settings, table: 'plain', on_conflict: 'replace' });
    expect(error).toBe('on_conflict: replace needs a primary key of the table.');
  });

  it('imports more rows than one statement can have values', async () => {
    await put(`id,name\n${Array.from({ length: 40_000 }, (_, id) => `${id},x`).join('\n')}\n`);
    expect(await load({ batch_size: 100_000 })).toBe('{"read":40000,"imported":40000,"skipped":0}\n');
  });
});
