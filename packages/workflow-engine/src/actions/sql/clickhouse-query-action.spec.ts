import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@weir/workflow-spec';
import { actionFixture, type ActionFixture, type RunOptions } from '../testing/action-fixture';
import { loopbackServer, type LoopbackServer, type Seen } from '../testing/loopback-server';

// No server of ClickHouse can be installed here: this one has its interface, and checks what it is sent.
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  rows: (response) =>
    response.end('["id","name","exact"]\n[1,"a, \\"b\\"",18446744073709551615]\n[2,null,0.12345678901234567890]\n'),
  none: (response) => response.end(),
  large: (response) => response.end(`["n"]\n${'[1]\n'.repeat(100_000)}`),
  refused: (response) =>
    response
      .writeHead(404, { 'x-clickhouse-exception-code': '60' })
      .end("Code: 60. DB::Exception: Unknown table 'hunter2'. (UNKNOWN_TABLE) (version 26.9)"),
  late: (response) => response.end('["n"]\n[1]\nCode: 153. DB::Exception: Division by zero. (ILLEGAL_DIVISION)'),
  format: (response) => response.setHeader('x-clickhouse-format', 'CSV').end('1\n'),
  endless: (response) => response.write('["n"]\n[1]\n'),
};

let fixture: ActionFixture;
let server: LoopbackServer;

beforeEach(async () => {
  fixture = await actionFixture();
  server = await loopbackServer(({ body }, response) => (answers[body.trim()] ?? answers.none)?.(response));
});
afterEach(() => Promise.all([fixture.remove(), server.close()]));

const query = (text: string, more: JsonObject = {}, options: RunOptions = {}) => {
  const dsn = server.origin.replace('//', '//weir:hunt%20er2@');
  return fixture.run('clickhouse.query', { dsn: `${dsn}/orders`, query: text, ...more }, options);
};
const paramsOf = ({ url }: Seen) => Object.fromEntries(new URL(url, 'http://x').searchParams);
const kills = () => server.seen.filter(({ body }) => body.startsWith('KILL QUERY'));

describe('clickhouse.query', () => {
  it.each([
    [
      {},
      '{"id":1,"name":"a, \\"b\\"","exact":"18446744073709551615"}\n{"id":2,"name":null,"exact":"0.12345678901234567890"}\n',
    ],
    [
      { output_format: 'csv', headers: true },
      'id,name,exact\n1,"a, ""b""",18446744073709551615\n2,,0.12345678901234567890\n',
    ],
    [{ output_format: 'json', max_rows: 1 }, '[\n{"id":1,"name":"a, \\"b\\"","exact":"18446744073709551615"}\n]\n'],
  ])('prints rows with %j, exact numbers without loss', async (more, printed) => {
    const { outcome, stdout } = await query('rows', more);
    expect(outcome.status).toBe('succeeded');
    expect(stdout).toBe(printed);
  });

  it('signs in, and passes values by their names and apart from the statement', async () => {
    const { outcome } = await query('none', { params: { id: 7, list: ['a'], text: "it's" } });

    expect(outcome).toMatchObject({ status: 'succeeded', outputs: { declared: [{ name: 'rows', value: 0 }] } });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: 'POST', body: 'none' });
    expect(seen?.headers.authorization).toBe(`Basic ${Buffer.from('weir:hunt er2').toString('base64')}`);
    expect(seen && paramsOf(seen)).toMatchObject({
      database: 'orders',
      param_id: '7',
      param_list: "['a']",
      param_text: "it\\'s",
    });
  });

  it('writes rows to a file, which is complete or does not exist', async () => {
    expect((await query('rows', { output_file: 'rows.jsonl' })).stdout).toBe('');
    expect(await readFile(fixture.path('rows.jsonl'), 'utf8')).toContain('{"id":1,');
    await query('late', { output_file: 'late.jsonl' });
    await expect(readFile(fixture.path('late.jsonl'))).rejects.toThrow('ENOENT');
  });

  it('stops the statement once it has enough rows', async () => {
    const { outcome, stderr } = await query('large', { max_rows: 2 });
    expect(outcome).toMatchObject({ status: 'succeeded', outputs: { declared: [{ name: 'rows', value: 2 }] } });
    expect(stderr).toContain('The rows after the first 2 were left out.');
    expect(kills()).toHaveLength(1);
  });

  it.each([
    ['refused', 'The database refused this (code 60).', 0],
    ['late', 'The database failed while it sent the rows.', 1],
    ['format', 'query must not have a FORMAT.', 1],
  ])('fails for %s, without the message of the server in the error', async (text, error, killed) => {
    const { outcome, stderr } = await query(text);
    expect(outcome).toMatchObject({ status: 'failed', error });
    if (text !== 'format') expect(stderr).toMatch(/Unknown table|Division by zero/);
    expect(kills()).toHaveLength(killed);
  });

  it.each(['clickhouse://127.0.0.1:9000/default', 'http://127.0.0.1/?password=hunter2', 'hunter2'])(
    'fails for the address %s',
    async (dsn) => {
      expect((await query('none', { dsn })).outcome.error).toBe(
        'dsn is no address such as https://user:password@host:8443/database.',
      );
    },
  );

  it('is reported when there is no server', async () => {
    await server.close();
    expect((await query('none')).outcome.error).toBe(
      'The database cannot be reached, or the connection was lost (ECONNREFUSED).',
    );
  });

  it('tells the server to end the statement at the timeout and at a stop', async () => {
    expect((await query('endless', { timeout: 0.3 })).outcome.error).toBe('There was no end within 0.3 seconds.');
    const [id, killedId] = server.seen.map(paramsOf);
    expect(killedId?.param_id).toBe(id?.query_id);

    const stop = new AbortController();
    const running = query('endless', {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 200);
    expect((await running).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
    expect(kills()).toHaveLength(2);
  });
});
