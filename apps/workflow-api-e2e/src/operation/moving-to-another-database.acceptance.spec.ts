import { spawnProcess, startPostgres, waitFor, type TestPostgres } from '@weir/test-kit';
import { Client } from 'pg';
import { setUpAdmin } from '../support/people';
import { runWeir } from '../support/weir-command';
import { program, startWeir, type StartOptions, type Weir } from '../support/weir-server';

describe('migrate-store', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  const servers: Weir[] = [];
  const start = async (options: StartOptions = {}): Promise<Weir> => {
    const server = await startWeir(options);
    servers.push(server);
    return server;
  };
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.dispose())));

  const dag = { name: 'nightly', spec: 'steps: [{id: a, run: echo 3, output: TOTAL}]\n' };
  const paths = [
    '/users',
    '/dag-runs?fromDate=1',
    '/dag-runs/nightly/r1',
    '/dags?limit=10',
    '/event-logs',
    '/workspaces',
  ];

  const answersOf = async (server: Weir, token: string): Promise<unknown> => {
    const answers = await Promise.all(paths.map((path) => server.request('GET', path, { token })));
    for (const { status } of answers) expect(status).toBe(200);
    return answers.map(({ body }) => body);
  };

  const events = async (server: Weir, token: string): Promise<number> => {
    const { body } = await server.request('GET', '/event-logs', { token });
    return (body as { readonly total: number }).total;
  };

  it('moves an installation to PostgreSQL and back, and the server gives the same answers', async () => {
    const first = await start();
    const token = await setUpAdmin(first);
    await first.request('POST', '/dags', { token, body: dag });
    await first.request('POST', '/dags/nightly/start-sync', { token, body: { dagRunId: 'r1', timeout: 60 } });
    // The event log is written a moment later.
    await waitFor(async () => (await events(first, token)) === 2, { what: 'the events of the run' });
    const expected = await answersOf(first, token);
    const { url } = await postgres.createDatabase();
    const migrate = (to: string, env = {}) => runWeir(['migrate-store', '--to', to], { home: first.home, env });

    expect(await migrate(url)).toMatchObject({ code: 1, stderr: expect.stringContaining('in use') as string });
    await first.process.stop();
    const moved = await migrate(url);
    expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^DagRun +1 /m) as string });
    expect(moved.stdout + moved.stderr).not.toContain(new URL(url).password || '\0');

    const onPostgres = await start({ home: first.home, env: { WEIR_DATABASE_URL: url } });
    expect(await answersOf(onPostgres, token)).toEqual(expected);
    await onPostgres.request('POST', '/dags/nightly/start-sync', { token, body: { dagRunId: 'r2', timeout: 60 } });
    await onPostgres.process.stop();

    const back = { WEIR_DATABASE_URL: `file:${first.home.file('back.db')}` };
    expect(await migrate(back.WEIR_DATABASE_URL, { WEIR_DATABASE_URL: url })).toMatchObject({ code: 0 });
    const onFile = await start({ home: first.home, env: back });
    expect((await onFile.request('GET', '/dag-runs/nightly/r2', { token })).status).toBe(200);
  });

  it('completes an interrupted move after a kill, and a server refuses the database until then', async () => {
    const server = await start();
    const token = await setUpAdmin(server);
    await server.request('POST', '/dags', { token, body: dag });
    await server.request('POST', '/dags/nightly/start-sync', { token, body: { dagRunId: 'r1', timeout: 60 } });
    await server.process.stop();
    const { url } = await postgres.createDatabase();
    // Creates the tables. Then the copy stops before the runs, because somebody has locked their table.
    await runWeir(['history'], { home: server.home, env: { WEIR_DATABASE_URL: url } });
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE "DagRun" IN SHARE MODE');
    const killed = await spawnProcess({
      command: process.execPath,
      args: [program, 'migrate-store', '--to', url],
      env: { HOME: server.home.path, WEIR_HOME: server.home.file('weir') },
      deadlineMs: 120_000,
    });
    await waitFor(async () => (await other.query('SELECT * FROM "User"')).rowCount === 1, { what: 'the first rows' });
    await killed.stop({ signal: 'SIGKILL' });
    await other.end();

    const refused = await runWeir(['history'], { home: server.home, env: { WEIR_DATABASE_URL: url } });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('unfinished copy') as string });
    const finished = await runWeir(['migrate-store', '--to', url], { home: server.home });
    expect(finished).toMatchObject({ code: 0, stdout: expect.stringMatching(/^User +1 /m) as string });
    const history = await runWeir(['history'], { home: server.home, env: { WEIR_DATABASE_URL: url } });
    expect(history.stdout).toContain('r1');
  });
});
