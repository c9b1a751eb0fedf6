import { EventEmitter } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startPostgres, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { lockSqliteFile } from '@weir/workflow-db';
import { hostEnvironment } from '../testing/workflow-api.contract';
import { runProgram } from './program';

const migrationsFolder = path.resolve(__dirname, '../../../../packages/workflow-db/prisma/migrations');
const hello =
  'params:\n  - {name: who, default: you}\nsteps:\n  - {name: greet, run: "echo hello ${params.who} > said"}\nworking_dir: .\n';
const slow = 'steps:\n  - {name: wait, run: "sleep 60"}\n  - {name: after, depends: wait, run: "true"}\n';

let home: TemporaryFolder;

beforeEach(async () => {
  home = temporaryFolder();
  await mkdir(home.file('dags'));
  await writeFile(home.file('dags', 'hello.yaml'), hello);
});
afterEach(() => home.remove());

/** A command line under way, with what it printed. */
function begin(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out: string[] = [];
  const errors: string[] = [];
  const signals = new EventEmitter();
  const exitCode = runProgram(words, {
    env: { ...hostEnvironment, WEIR_HOME: home.path, WEIR_LOG_LEVEL: 'silent', ...env },
    version: '1.2.3',
    migrationsFolder,
    // Not there: these texts are small.
    parserFile: path.join(home.path, 'parse-worker.js'),
    userHome: home.path,
    workingDirectory: home.path,
    signals,
    print: (text) => out.push(text),
    printError: (text) => errors.push(text),
    logDestination: { write: (line) => errors.push(line) },
  });
  return { exitCode, signals, out: () => out.join('\n'), errors: () => errors.join('\n') };
}

async function run(...words: readonly string[]) {
  const command = begin(words);
  return { exitCode: await command.exitCode, out: command.out(), errors: command.errors() };
}

describe('weir', () => {
  it.each([
    ['without a command', []],
    ['with an unknown command', ['nothing']],
    ['with an unknown option', ['version', '--nothing']],
    ['without what is needed', ['start']],
  ])('prints the usage as an error %s', async (_, words) => {
    const { exitCode, out, errors } = await run(...words);

    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(errors).toContain('Usage: weir');
  });

  it('prints its version', async () => {
    await expect(run('version')).resolves.toEqual({ exitCode: 0, out: '1.2.3', errors: '' });
  });

  it('names every wrong variable', async () => {
    const command = begin(['server'], { WEIR_PORT: 'x', WEIR_AUTH_MODE: 'y' });

    await expect(command.exitCode).resolves.toBe(1);
    expect(command.errors()).toMatch(/WEIR_PORT: .*\nWEIR_AUTH_MODE: /);
  });
});

describe('weir validate', () => {
  it('says nothing about good files', async () => {
    await expect(run('validate', home.file('dags', 'hello.yaml'))).resolves.toEqual({
      exitCode: 0,
      out: '',
      errors: '',
    });
  });

  it('names every error of a bad file', async () => {
    await writeFile(home.file('bad.yaml'), 'stepz: 1\nsteps:\n  - run: a\n    depends: b\n');
    const { exitCode, out, errors } = await run('validate', home.file('bad.yaml'));

    expect(exitCode).toBe(1);
    expect(out).toBe('');
    expect(errors).toMatch(/^Validation failed for .*bad\.yaml\n {2}- \[1:1\] .*\n {2}- \[4:14\] /);
  });
});

describe('weir start', () => {
  it('carries out a DAG by name, with parameters', async () => {
    const { exitCode, out } = await run('start', 'hello', '--run-id', 'mine', '--', 'who=two words');

    expect(out).toMatch(/^hello mine: started\n {2}greet: succeeded \(.* s\)\nhello mine: succeeded \(.* s\)$/);
    expect(exitCode).toBe(0);
    await expect(readFile(home.file('dags', 'said'), 'utf8')).resolves.toBe('hello two words\n');
  });

  it('carries out a file that is elsewhere, in its folder', async () => {
    await mkdir(home.file('elsewhere'));
    await writeFile(home.file('elsewhere', 'mine.yaml'), hello);

    await expect(run('start', 'elsewhere/mine.yaml', '--params', 'who=me')).resolves.toMatchObject({ exitCode: 0 });
    await expect(readFile(home.file('elsewhere', 'said'), 'utf8')).resolves.toBe('hello me\n');
  });

  it('shows a failure and where its log is', async () => {
    await writeFile(home.file('dags', 'bad.yaml'), 'steps:\n  - {name: a, run: "echo no >&2; exit 3"}\n');
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
    await writeFile(home.file('bad.yaml'), 'steps: []\nstepz: 1\n');

    await expect(run('start', 'bad.yaml')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/^Validation failed for bad\.yaml\n {2}- \[/) as string,
    });
  });

  it('stops its run on a signal and records that', async () => {
    await writeFile(home.file('dags', 'slow.yaml'), slow);
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
    const server = begin(['start-all', '--port', '0', '--dags', home.file('new')], env);
    await waitFor(() => server.out() !== '', { what: 'the server' });
    await use(server.out());
    server.signals.emit('SIGTERM');
    await expect(server.exitCode).resolves.toBe(0);
  };

  it('puts examples into a new folder, and says how to go on', async () => {
    await serve({}, async (out) => {
      expect(out).toMatch(/Weir is up: http:\/\/127\.0\.0\.1:\d+\/api\/v1\n/);
      expect(out).toContain('/auth/setup');
      expect(out).toContain('/dags/hello-params/start -H "Authorization: Bearer $TOKEN"');
      expect(out).toContain('/dag-runs/hello-params/latest');
      await expect(readdir(home.file('new'))).resolves.toHaveLength(3);
    });
  });

  it('puts none there when told so, and names none', async () => {
    await serve({ WEIR_SKIP_EXAMPLES: 'true', WEIR_AUTH_MODE: 'none' }, async (out) => {
      expect(out).not.toContain('hello-params');
      expect(out).not.toContain('TOKEN');
      await expect(readdir(home.file('new'))).resolves.toEqual([]);
    });
  });
});

describe('weir start beside a server', () => {
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

  it('hands the run over and shows the same', async () => {
    const server = await startServer('start-all');
    const { exitCode, out } = await run('start', 'hello', '--params', 'who=there');
    await writeFile(home.file('slow.yaml'), slow);
    const slowRun = begin(['start', 'slow.yaml']);
    await waitFor(() => slowRun.out().includes('started'), { what: 'the run to start' });
    slowRun.signals.emit('SIGTERM');

    expect(out).toMatch(/^hello \w+: started\n {2}greet: succeeded .*\nhello \w+: succeeded/);
    expect(exitCode).toBe(0);
    await expect(slowRun.exitCode).resolves.toBe(1);
    expect(slowRun.out()).toContain('wait: aborted');
    await server.stop();
  });

  it('says what a server refuses, and that one without a runner carries nothing out', async () => {
    const server = await startServer('server');
    await expect(run('start', 'hello')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('carries out no runs') as string,
    });
    await expect(run('start-all', ...serveArguments)).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/in use by another Weir process \(pid \d+\)/) as string,
    });
    await server.stop();
  });

  it('names the process that has the database when that one does not answer', async () => {
    await mkdir(home.file('data'));
    const lock = lockSqliteFile(home.file('data', 'weir.db'));

    await expect(run('start', 'hello')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining(`in use by another Weir process (pid ${process.pid})`) as string,
    });
    lock.release();
  });

  it('needs no server on PostgreSQL, where both work side by side', async () => {
    const postgres = await startPostgres();
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
