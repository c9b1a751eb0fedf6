import { readFile, readdir, writeFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';
import { buildFileProgram, type FileProgram } from '../testing/file-program';

let built: FileProgram;
let fixture: ActionFixture;

beforeAll(() => void (built = buildFileProgram()));
afterAll(() => built.bundle.remove());

beforeEach(async () => (fixture = await actionFixture({ fileProgram: built.program })));
afterEach(() => fixture.remove());

const dsn = 'file:orders.db';

async function succeed(action: ExecutableActionName, settings: JsonObject): Promise<string> {
  const { outcome, stdout } = await fixture.run(action, { dsn, ...settings });
  if (outcome.status !== 'succeeded') throw new Error(outcome.error);
  return stdout;
}

async function readError(action: ExecutableActionName, settings: JsonObject, options: RunOptions = {}) {
  const { outcome } = await fixture.run(action, { dsn, ...settings }, options);
  expect(outcome.status).toBe('failed');
  return outcome.error;
}

const query = (text: string, more: JsonObject = {}) => succeed('sqlite.query', { query: text, ...more });

async function withOrders(): Promise<void> {
  await query(`create table orders (id integer primary key, name text, total real);
    insert into orders values (1, 'a, "b"', 1.5), (2, null, 9007199254740993), (3, 'c', x'00ff')`);
}

describe('sqlite.query', () => {
  beforeEach(withOrders);

  it.each([
    [{}, '{"id":1,"name":"a, \\"b\\""}\n{"id":2,"name":null}\n'],
    [{ output_format: 'json' }, '[\n{"id":1,"name":"a, \\"b\\""},\n{"id":2,"name":null}\n]\n'],
    [{ output_format: 'csv', headers: true }, 'id,name\n1,"a, ""b"""\n2,\n'],
    [{ max_rows: 1 }, '{"id":1,"name":"a, \\"b\\""}\n'],
  ])('prints rows with %j', async (more, printed) => {
    expect(await query('select id, name from orders where id < 3', more)).toBe(printed);
  });

  it.each([
    [['c'], 'name = ?'],
    [{ who: 'c' }, 'name = :who'],
    [[true, 3], '? and id = ?'],
  ])('accepts values %j', async (params, condition) => {
    expect(await query(`select id from orders where ${condition}`, { params })).toBe('{"id":3}\n');
  });

  it('prints large whole numbers and bytes without loss', async () => {
    const rows = await query(`select cast('9007199254740993' as integer) as n, x'00ff' as b`);
    expect(rows).toBe('{"n":"9007199254740993","b":"AP8="}\n');
  });

  it('writes rows to a file, which is complete or does not exist', async () => {
    expect(await query('select id from orders', { output_file: 'rows.jsonl' })).toBe('');
    expect(await readFile(fixture.path('rows.jsonl'), 'utf8')).toBe('{"id":1}\n{"id":2}\n{"id":3}\n');
    await readError('sqlite.query', { query: 'select abs(-9223372036854775807 - id) from orders', output_file: 'x' });
    expect((await readdir(fixture.folder)).sort()).toEqual(['logs', 'orders.db', 'rows.jsonl']);
  });

  it('publishes the number of rows', async () => {
    const { outcome } = await fixture.run('sqlite.query', { dsn, query: 'select * from orders' });
    expect(outcome.outputs?.declared).toEqual([{ name: 'rows', value: 3 }]);
  });

  it('changes nothing when a statement of a transaction fails', async () => {
    const text = 'delete from orders; insert into missing values (1)';
    expect(await readError('sqlite.query', { query: text, transaction: true })).toContain('no such table: missing');
    expect(await query('select count(*) as n from orders')).toBe('{"n":3}\n');
  });

  it('does not change a file that is opened to read', async () => {
    const error = await readError('sqlite.query', { dsn: 'file:orders.db?mode=ro', query: 'delete from orders' });
    expect(error).toContain('attempt to write a readonly database');
  });

  it('waits for the lock of another process, and gives up in time', async () => {
    const other = new Database(fixture.path('orders.db'));
    other.exec('BEGIN EXCLUSIVE');
    const settings = { query: 'select 1', file_lock: true, timeout: '500ms' };
    try {
      expect(await readError('sqlite.query', settings)).toMatch(
        /database is locked|There was no end within 0.5 seconds/,
      );
    } finally {
      other.close();
    }
    expect(await query('select 1 as a', { file_lock: true })).toBe('{"a":1}\n');
  });

  const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n';

  it('ends a statement that takes too long', async () => {
    expect(await readError('sqlite.query', { query: endless, timeout: 1 })).toBe('There was no end within 1 seconds.');
  });

  it('ends a statement of a step that is stopped', async () => {
    const stop = new AbortController();
    const running = fixture.run('sqlite.query', { dsn, query: endless }, { signal: stop.signal });
    stop.abort();
    expect((await running).outcome.status).toBe('aborted');
  });

  it.each(['', 'file:a.db?cache=shared'])('refuses %j as dsn', async (wrong) => {
    const error = await readError('sqlite.query', { dsn: wrong, query: 'select 1' });
    expect(error).toMatch(/dsn/);
  });
});

describe('sqlite.import', () => {
  beforeEach(async () => {
    await query('create table orders (id integer primary key, name text)');
  });

  const load = (more: JsonObject = {}) => succeed('sqlite.import', { input_file: 'in.csv', table: 'orders', ...more });
  const put = (text: string, name = 'in.csv') => writeFile(fixture.path(name), text);

  it.each([
    ['csv', 'in.csv', '\uFEFFid,name\n1,"a, b"\n2,\n3,""\n', {}],
    ['tsv', 'in.tsv', 'id\tname\n1\ta, b\n2\t\n3\t""\n', {}],
    ['jsonl', 'in.jsonl', '{"id":1,"name":"a, b"}\n{"id":2}\n{"name":"","id":3}\n', { columns: ['id', 'name'] }],
    ['other separators', 'in.csv', 'x\n1;"a, b"\n2;\n3;""\n', { delimiter: ';', skip_rows: 1, has_header: false }],
  ])('imports %s', async (_, input_file, text, more) => {
    await put(text, input_file);
    expect(await load({ input_file, batch_size: 2, ...more })).toBe('{"read":3,"imported":3,"skipped":0}\n');
    expect(await query('select * from orders', { output_format: 'csv' })).toBe('1,"a, b"\n2,\n3,\n');
    expect(await query('select id from orders where name is null')).toBe('{"id":2}\n');
  });

  it.each([
    ['ignore', '{"read":2,"imported":1,"skipped":1}\n', 'old'],
    ['replace', '{"read":2,"imported":2,"skipped":0}\n', 'new'],
  ])('handles existing rows by on_conflict: %s', async (on_conflict, printed, name) => {
    await query(`insert into orders values (1, 'old')`);
    await put('id,name\n1,new\n2,b\n');
    expect(await load({ on_conflict })).toBe(printed);
    expect(await query('select name from orders where id = 1')).toBe(`{"name":"${name}"}\n`);
  });

  it('imports nothing when one row is refused', async () => {
    await put('id,name\n1,a\n2,b\n1,c\n');
    const settings = { input_file: 'in.csv', table: 'orders', batch_size: 1 };
    expect(await readError('sqlite.import', settings)).toContain('UNIQUE constraint failed: orders.id');
    expect(await query('select count(*) as n from orders')).toBe('{"n":0}\n');
  });

  it('only reads with dry_run, and at most max_rows', async () => {
    await put('id,name\n1,a\n2,b\n');
    expect(await load({ dry_run: true })).toBe('{"read":2,"imported":0,"skipped":0}\n');
    expect(await load({ max_rows: 1 })).toBe('{"read":1,"imported":1,"skipped":0}\n');
  });

  it.each([
    ['a row of another length', 'in.csv', 'id,name\n1\n', 'input_file: row 1 has 1 cells instead of 2'],
    ['no JSON', 'in.jsonl', 'x\n', 'input_file: line 1 is not JSON'],
    ['an unknown ending', 'in.txt', '', 'so format is required'],
  ])('fails on %s', async (_, input_file, text, error) => {
    await put(text, input_file);
    expect(await readError('sqlite.import', { input_file, table: 'orders' })).toContain(error);
  });
});
