import Sqlite from 'better-sqlite3';
import { reuseStatements } from './reuse-statements';

interface Bound {
  readonly reader: boolean;
  columns(): readonly { readonly name: string }[];
  run(): { readonly changes: number };
  raw(): { all(): unknown[] };
}

describe('reuseStatements', () => {
  const open = () => {
    const client = new Sqlite(':memory:');
    client.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT)');
    const compiled = jest.spyOn(client, 'prepare');
    reuseStatements(client);
    const query = (sql: string, ...values: readonly unknown[]): Bound =>
      (client.prepare(sql) as unknown as { bind(values: readonly unknown[]): Bound }).bind(values);
    return { client, compiled, query };
  };

  it('compiles a statement once and runs it with the values of each call', () => {
    const { compiled, query } = open();
    const insert = 'INSERT INTO item (text) VALUES (?)';

    expect(query(insert, 'a').run().changes).toBe(1);
    expect(query(insert, 'b').run().changes).toBe(1);

    const select = 'SELECT text FROM item WHERE id = ?';
    expect([1, 2, 3].map((id) => query(select, id).raw().all())).toEqual([[['a']], [['b']], []]);
    expect(query(select, 1).reader).toBe(true);
    expect(compiled.mock.calls.map(([sql]) => sql)).toEqual([insert, select]);
  });

  it('works after the table was changed', () => {
    const { client, query } = open();
    const select = 'SELECT * FROM item';
    query('INSERT INTO item (text) VALUES (?)', 'a').run();
    expect(query(select).raw().all()).toEqual([[1, 'a']]);
    expect(query(select).columns()).toHaveLength(2);

    client.exec('ALTER TABLE item ADD COLUMN more TEXT');

    expect(query(select).raw().all()).toEqual([[1, 'a', null]]);
    expect(
      query(select)
        .columns()
        .map(({ name }) => name),
    ).toEqual(['id', 'text', 'more']);
  });

  it('describes named columns once', () => {
    const { query } = open();
    const select = 'SELECT id, text FROM item';

    const described = query(select).columns();

    expect(described.map(({ name }) => name)).toEqual(['id', 'text']);
    expect(query(select).columns()).toBe(described);
  });

  it('drops the least recently used statements', () => {
    const { compiled, query } = open();
    for (let index = 0; index <= 500; index += 1) query(`SELECT ${index}`).raw().all();
    compiled.mockClear();

    query('SELECT 500').raw().all();
    query('SELECT 0').raw().all();

    expect(compiled.mock.calls.map(([sql]) => sql)).toEqual(['SELECT 0']);
  });
});
