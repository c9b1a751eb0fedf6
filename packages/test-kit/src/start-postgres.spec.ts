import { Client } from 'pg';
import { freePort } from './free-port';
import { startPostgres, type TestPostgres } from './start-postgres';

async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    // This spec always starts its own server, because it tests the code that starts one.
    postgres = await startPostgres({ url: '' });
  }, 60_000);
  afterAll(() => postgres.stop());

  it('starts a real server on the loopback address', async () => {
    const { url } = await postgres.createDatabase();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const [row] = await query(url, `SELECT version(), current_setting('server_encoding') AS encoding`);
    expect(row).toMatchObject({ version: expect.stringContaining('PostgreSQL') as string, encoding: 'UTF8' });
  });

  it('refuses a connection without the password', async () => {
    const url = new URL(postgres.url);
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('keeps databases apart and copies a template', async () => {
    const template = await postgres.createDatabase();
    await query(template.url, 'CREATE TABLE a AS SELECT 1 AS x');
    const copy = await postgres.createDatabase({ template: template.name });
    const other = await postgres.createDatabase();

    await expect(query(copy.url, 'SELECT * FROM a')).resolves.toEqual([{ x: 1 }]);
    await expect(query(other.url, 'SELECT * FROM a')).rejects.toMatchObject({ code: '42P01' });
  });

  it('drops a database that is in use', async () => {
    const { url, drop } = await postgres.createDatabase();
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await drop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });

  it('uses a running server when given one, and removes only its own databases from it', async () => {
    const guest = await startPostgres({ url: postgres.url });
    const { url } = await guest.createDatabase();
    await guest.stop();
    await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    await expect(query(postgres.url, 'SELECT 1 AS x')).resolves.toEqual([{ x: 1 }]);
  });

  it('explains what to do when the given server does not answer', async () => {
    const url = `postgresql://weir@127.0.0.1:${await freePort()}/postgres`;
    await expect(startPostgres({ url })).rejects.toThrow('WEIR_TEST_POSTGRES_URL');
  });

  it('is removed after stop', async () => {
    const own = await startPostgres({ url: '' });
    await own.stop();
    await expect(query(own.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }, 60_000);
});
