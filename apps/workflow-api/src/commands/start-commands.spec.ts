import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { startPostgres, waitFor } from '@weir/test-kit';
import { lockSqliteFile } from '@weir/workflow-db';
import { buildHeartbeatWorker } from '../testing/heartbeat-thread/bundle-heartbeat-worker';
import { hello, useCommands } from './testing/use-commands';

const slow = 'steps:\n  - {name: wait, run: "sleep 60"}\n  - {name: after, depends: wait, run: "true"}\n';
const { home, begin, run } = useCommands();

describe('weir start', () => {
  it('executes a DAG by name, with parameters', async () => {
    const { exitCode, out } = await run('start', 'hello', '--run-id', 'mine', '--', 'who=two words');

    expect(out).toMatch(/^hello mine: started\n {2}greet: succeeded \(.* s\)\nhello mine: succeeded \(.* s\)$/);
    expect(exitCode).toBe(0);
    await expect(readFile(home().file('dags', 'said'), 'utf8')).resolves.toBe('hello two words\n');
  });

  it('accepts short flags, and prints nothing when it is quiet', async () => {
    await expect(run('start', '-q', '-r', 'mine', '-p', 'who=me', 'hello')).resolves.toEqual({
      exitCode: 0,
      out: '',
      errors: '',
    });
    await expect(readFile(home().file('dags', 'said'), 'utf8')).resolves.toBe('hello me\n');
    await expect(run('status', '-r', 'mine', 'hello')).resolves.toMatchObject({ exitCode: 0 });
  });

  it('executes a file in another folder, with that folder as its own', async () => {
    await mkdir(home().file('elsewhere'));
    await writeFile(home().file('elsewhere', 'mine.yaml'), hello);

    await expect(run('start', 'elsewhere/mine.yaml', '--params', 'who=me')).resolves.toMatchObject({ exitCode: 0 });
    await expect(readFile(home().file('elsewhere', 'said'), 'utf8')).resolves.toBe('hello me\n');
  });

  it('shows a failure and the path of its log', async () => {
    await writeFile(home().file('dags', 'bad.yaml'), 'steps:\n  - {name: a, run: "echo no >&2; exit 3"}\n');
    const { exitCode, out } = await run('start', 'bad');

    expect(exitCode).toBe(1);
    expect(out).toMatch(/\n {2}a: failed \(.*\) - exit status 3: no\nbad \w+: failed \(.*\); log: .*run\.log$/);
  });

  it.each([
    ['a DAG that is not there', ['start', 'nothing'], 'There is no DAG "nothing"'],
    ['a file that is not there', ['start', './nothing.yaml'], 'There is no file ./nothing.yaml'],
    ['parameters given twice', ['start', 'hello', '--params', 'a=1', '--', 'b=1'], 'not both'],
    ['a run id that cannot be one', ['start', 'hello', '--run-id', 'latest'], 'A run id is'],
    ['parameters that cannot be read', ['start', 'hello', '--params', '{'], 'not valid JSON'],
  ])('refuses %s', async (_, words, message) => {
    const { exitCode, out, errors } = await run(...words);

    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(errors).toContain(message);
  });

  it('refuses a file with errors as validate does', async () => {
    await writeFile(home().file('bad.yaml'), 'steps: []\nstepz: 1\n');

    await expect(run('start', 'bad.yaml')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^Validation failed for bad\.yaml\n {2}- \[/) as string,
    });
  });

  it('refuses parts that the engine cannot execute yet, with a line for each', async () => {
    const text = 'steps:\n  - {name: a, run: echo, worker_selector: {gpu: yes}}\n';
    await writeFile(home().file('dags', 'later.yaml'), text);
    await expect(run('start', 'later')).resolves.toEqual({
      exitCode: 1,
      out: '',
      errors:
        'later is valid, but this version cannot execute it yet:\n  - step "a": worker_selector of a step that calls no DAG',
    });
  });

  it('stops its run on a signal and records the stop', async () => {
    await writeFile(home().file('dags', 'slow.yaml'), slow);
    const command = begin(['start', 'slow']);
    await waitFor(() => command.out().includes('started'), { what: 'the run to start' });
    command.signals.emit('SIGINT');

    await expect(command.exitCode).resolves.toBe(1);
    // The step that never began is settled at once, the other when its process has ended: a look may fall in between.
    const [, ...lines] = command.out().split('\n');
    expect(lines.slice(0, 2).toSorted()).toEqual([
      expect.stringMatching(/^ {2}after: aborted - run stopped/) as string,
      expect.stringMatching(/^ {2}wait: aborted/) as string,
    ]);
    expect(lines[2]).toMatch(/^slow \w+: aborted/);
  });
});

describe('weir start-all', () => {
  const serve = async (env: Readonly<Record<string, string>>, use: (out: string) => Promise<void> | void) => {
    const server = begin(['start-all', '--port', '0', '--dags', home().file('new')], env);
    await waitFor(() => server.out() !== '', { what: 'the server' });
    await use(server.out());
    server.signals.emit('SIGTERM');
    await expect(server.exitCode).resolves.toBe(0);
  };

  it('writes examples into a new folder, and prints how to continue', async () => {
    await serve({}, async (out) => {
      expect(out).toMatch(/Weir is up: http:\/\/127\.0\.0\.1:\d+\/api\/v1\n/);
      expect(out).toContain('/auth/setup');
      expect(out).toContain('/dags/merge-sources/start -H "Authorization: Bearer $TOKEN"');
      expect(out).toContain('/dag-runs/merge-sources/latest');
      await expect(readdir(home().file('new'))).resolves.toHaveLength(3);
    });
  });

  it('writes and names no examples when they are switched off', async () => {
    await serve({ WEIR_SKIP_EXAMPLES: 'true', WEIR_AUTH_MODE: 'none' }, async (out) => {
      expect(out).not.toContain('merge-sources');
      expect(out).not.toContain('TOKEN');
      await expect(readdir(home().file('new'))).resolves.toEqual([]);
    });
  });
});

describe('weir start while a server runs', () => {
  const serveArguments = ['--port', '0'];
  const startServer = async (name: 'start-all' | 'server') => {
    const server = begin([name, ...serveArguments], { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' });
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });
    return {
      stop: async () => {
        server.signals.emit('SIGTERM');
        expect(await server.exitCode).toBe(0);
      },
    };
  };

  it('passes the run to the server and shows the same output', async () => {
    const server = await startServer('start-all');
    const { exitCode, out } = await run('start', 'hello', '--params', 'who=there');
    await writeFile(home().file('slow.yaml'), slow);
    const slowRun = begin(['start', 'slow.yaml']);
    await waitFor(() => slowRun.out().includes('started'), { what: 'the run to start' });
    slowRun.signals.emit('SIGTERM');

    expect(out).toMatch(/^hello \w+: started\n {2}greet: succeeded .*\nhello \w+: succeeded/);
    expect(exitCode).toBe(0);
    await expect(slowRun.exitCode).resolves.toBe(1);
    expect(slowRun.out()).toContain('wait: aborted');
    await server.stop();
  });

  it('refuses a second server', async () => {
    const server = await startServer('server');
    await expect(run('start-all', ...serveArguments)).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/in use by another Weir process \(pid \d+\)/) as string,
    });
    await server.stop();
  });

  it('executes the run itself when the server does not answer, as in its first seconds', async () => {
    await mkdir(home().file('data'));
    const lock = lockSqliteFile(home().file('data', 'weir.db'));

    await expect(run('start', 'hello')).resolves.toMatchObject({ exitCode: 0, errors: '' });
    lock.release();
  });

  it('needs no server on PostgreSQL, where both work side by side', async () => {
    const postgres = await startPostgres();
    await buildHeartbeatWorker(home().path);
    const env = { WEIR_DATABASE_URL: (await postgres.createDatabase()).url, WEIR_AUTH_MODE: 'none' };
    const server = begin(['start-all', ...serveArguments], env);
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });
    const command = begin(['start', 'hello'], env);

    await expect(command.exitCode).resolves.toBe(0);
    expect(command.out()).toMatch(/hello \w+: succeeded/);
    server.signals.emit('SIGTERM');
    await expect(server.exitCode).resolves.toBe(0);
    await postgres.stop();
  });
});
