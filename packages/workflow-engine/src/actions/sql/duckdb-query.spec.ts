import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import type { JsonObject } from '@weir/workflow-spec';
import { actionFixture, type ActionFixture } from '../testing/action-fixture';
import { buildFileProgram, type FileProgram } from '../testing/file-program';

let built: FileProgram;
let fixture: ActionFixture;

beforeAll(async () => {
  built = buildFileProgram();
  const { bundle, program, modules } = built;
  // As somebody installs the package next to the server, and the same server without it.
  await mkdir(bundle.file('bare'));
  await copyFile(program, bundle.file('bare/file-program.js'));
  await symlink(modules, bundle.file('server/node_modules'));
});
afterAll(() => built.bundle.remove());

beforeEach(async () => (fixture = await actionFixture({ fileProgram: built.program })));
afterEach(() => fixture.remove());

async function query(text: string, more: JsonObject = {}): Promise<string> {
  const { outcome, stdout } = await fixture.run('duckdb.query', { query: text, ...more });
  if (outcome.status !== 'succeeded') throw new Error(outcome.error);
  return stdout;
}

describe('duckdb.query', () => {
  it.each([
    [{}, '{"n":1,"name":"a, \\"b\\""}\n{"n":2,"name":null}\n'],
    [{ output_format: 'json' }, '[\n{"n":1,"name":"a, \\"b\\""},\n{"n":2,"name":null}\n]\n'],
    [{ output_format: 'csv', headers: true }, 'n,name\n1,"a, ""b"""\n2,\n'],
    [{ max_rows: 1 }, '{"n":1,"name":"a, \\"b\\""}\n'],
  ])('prints rows with %j', async (more, printed) => {
    expect(await query(`select * from (values (1, 'a, "b"'), (2, null)) t(n, name) order by n`, more)).toBe(printed);
  });

  it('prints every kind of value without loss', async () => {
    const text = `select 9223372036854775807 as large, 3::bigint as small, 1.10::decimal(10,2) as exact,
      0.5::double as half, '\\x00\\xFF'::blob as bytes, date '2026-01-02' as day,
      timestamp '2026-01-02 03:04:05' as at, [1, 2] as list, {'a': 9223372036854775807} as map, true as yes`;
    expect(JSON.parse(await query(text))).toEqual({
      large: '9223372036854775807',
      small: 3,
      exact: '1.10',
      half: 0.5,
      bytes: 'AP8=',
      day: '2026-01-02',
      at: '2026-01-02 03:04:05',
      list: [1, 2],
      map: { a: '9223372036854775807' },
      yes: true,
    });
  });

  it.each([
    [['c', 9_000_000_000], 'select ? as a, ?::bigint as b'],
    [{ a: 'c', b: 9_000_000_000 }, 'select $a as a, $b::bigint as b'],
  ])('accepts values %j', async (params, text) => {
    expect(await query(text, { params })).toBe('{"a":"c","b":9000000000}\n');
  });

  it('keeps a database in a file of the working folder, and can open it to read only', async () => {
    await query('create table t (n integer); insert into t values (1), (2)', { dsn: 'orders.duckdb' });
    const more = { dsn: 'orders.duckdb?mode=ro', output_file: 'rows.jsonl' };
    await query('select n from t order by n', more);

    expect(await readFile(fixture.path('rows.jsonl'), 'utf8')).toBe('{"n":1}\n{"n":2}\n');
    await expect(query('insert into t values (3)', more)).rejects.toThrow('read-only');
    expect(await readFile(fixture.path('rows.jsonl'), 'utf8')).toBe('{"n":1}\n{"n":2}\n');
  });

  it('undoes a transaction that fails', async () => {
    const dsn = 'orders.duckdb';
    await query('create table t (n integer unique)', { dsn });
    const twice = query('insert into t values (1); insert into t values (1)', { dsn, transaction: true });
    await expect(twice).rejects.toThrow('duplicate key');
    expect(await query('select count(*) as n from t', { dsn })).toBe('{"n":0}\n');
  });

  it('reads files of the working folder', async () => {
    await writeFile(fixture.path('in.csv'), 'a,b\n1,x\n2,y\n');
    expect(await query(`select sum(a) as s from 'in.csv'`)).toBe('{"s":3}\n');
  });

  it('ends a statement at the timeout', async () => {
    const endless = 'select count(*) from range(10000000000) a, range(10000000000) b';
    await expect(query(endless, { timeout: 0.5 })).rejects.toThrow('There was no end within 0.5 seconds.');
  });

  it('names the package that is not installed', async () => {
    const bare = await actionFixture({ fileProgram: built.bundle.file('bare/file-program.js') });
    const { outcome } = await bare.run('duckdb.query', { query: 'select 1' });
    expect(outcome.error).toBe('DuckDB is not installed with this server: npm install @duckdb/node-api, next to it.');
    await bare.remove();
  });
});
