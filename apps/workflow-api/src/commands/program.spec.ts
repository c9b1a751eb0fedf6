import { EventEmitter } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startPostgres, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { lockSqliteFile } from '@weir/workflow-db';
import { dagSchema } from '@weir/workflow-spec';
import { allExamples } from '../examples/examples';
import { buildHeartbeatWorker } from '../heartbeat-thread/testing/bundle-heartbeat-worker';
import { hostEnvironment } from '../testing/workflow-api';
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
    // Not built: these specs are small.
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

describe('weir validate --format', () => {
  const bad = 'stepz: 1\nsteps:\n  - run: a\n    depends: b\n';

  it('json: prints findings and DAGs of all files, also of those that cannot be read', async () => {
    await writeFile(home.file('bad.yaml'), bad);
    const good = home.file('dags', 'hello.yaml');
    const files = [good, home.file('bad.yaml'), home.file('none.yaml')];
    const { exitCode, out, errors } = await run('validate', '--format', 'json', ...files);

    expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: '' });
    expect(JSON.parse(out)).toEqual({
      files: [
        expect.objectContaining({ file: good, valid: true, findings: [], localDags: [] }),
        expect.objectContaining({
          file: files[1],
          valid: false,
          findings: [
            expect.objectContaining({ code: 'unknown_key', line: 1, startByte: 0, endByte: 5 }),
            expect.objectContaining({ code: 'unknown_dependency', line: 4 }),
          ],
          dag: expect.objectContaining({
            name: 'bad',
            steps: [expect.objectContaining({ name: 'step_1' })],
          }) as unknown,
        }),
        { file: files[2], valid: false, problem: 'there is no such file', findings: [] },
      ],
    });
  });

  it('says of a folder that it is none of the files', async () => {
    const { exitCode, errors } = await run('validate', home.file('dags'));

    expect(exitCode).toBe(1);
    expect(errors).toContain('it is a folder or a device, not a file');
  });

  it('sarif: prints a log with the same findings', async () => {
    await writeFile(home.file('bad.yaml'), bad);
    const { exitCode, out } = await run('validate', '--format', 'sarif', 'bad.yaml', 'none.yaml');

    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'weir', version: '1.2.3' } },
          results: [{ ruleId: 'unknown_key' }, { ruleId: 'unknown_dependency' }, { ruleId: 'file_unreadable' }],
        },
      ],
    });
  });
});

describe('the base configuration', () => {
  it('is taken over by validate and start', async () => {
    await writeFile(home.file('base.yaml'), 'env:\n  GREETING: from the base\n');
    await writeFile(home.file('dags', 'env.yaml'), 'steps:\n  - run: test "$GREETING" = "from the base"\n');

    await expect(run('start', 'env')).resolves.toMatchObject({ exitCode: 0 });
  });

  it('makes both refuse when it has errors, or is not there though it was named', async () => {
    await writeFile(home.file('base.yaml'), 'groop: x\n');
    const file = home.file('dags', 'hello.yaml');
    const refusal = new RegExp(
      `^Validation failed for .*\\n  - \\[1:1\\] the base configuration ${home.file('base.yaml')} .*: \\[1:1\\] `,
    );

    for (const words of [
      ['validate', file],
      ['start', 'hello'],
    ]) {
      await expect(run(...words)).resolves.toMatchObject({
        exitCode: 1,
        errors: expect.stringMatching(refusal) as string,
      });
    }
    const command = begin(['validate', file], { WEIR_BASE_CONFIG: 'elsewhere.yaml' });
    await expect(command.exitCode).resolves.toBe(1);
    expect(command.errors()).toContain('there is no such file');
  });
});

describe('weir schema', () => {
  it('prints the schema of DAG files', async () => {
    const { exitCode, out } = await run('schema');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual(dagSchema());
  });

  it('prints a part of it that stands alone', async () => {
    const { out } = await run('schema', 'dag', 'steps.retry_policy');
    expect(JSON.parse(out)).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#' });
    expect(out).toContain('"interval_sec"');
  });

  it.each([
    ['another schema', ['schema', 'cat'], 'There is no schema "cat"; there is "dag".'],
    [
      'a key that is not there',
      ['schema', 'dag', 'steps.retri_policy.limit'],
      'There is no key "retri_policy" in "steps" (did you mean "retry_policy"?).',
    ],
    ['a wrong first key', ['schema', 'dag', 'stepps'], 'There is no key "stepps" in a DAG (did you mean "steps"?).'],
  ])('refuses %s', async (_, words, message) => {
    await expect(run(...words)).resolves.toEqual({ exitCode: 1, out: '', errors: `weir: ${message}` });
  });
});

describe('weir example', () => {
  it('lists the examples', async () => {
    const { exitCode, out } = await run('example');
    expect(exitCode).toBe(0);
    for (const { fileName, about } of allExamples) expect(out).toMatch(new RegExp(`^  ${fileName} +${about}$`, 'm'));
  });

  it.each(allExamples)('prints $fileName as a file that validate takes', async ({ fileName, spec }) => {
    const { exitCode, out } = await run('example', fileName);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: spec.trimEnd() });
    await writeFile(home.file('printed.yaml'), out);
    await expect(run('validate', 'printed.yaml')).resolves.toEqual({ exitCode: 0, out: '', errors: '' });
  });

  it('refuses a name that is not there', async () => {
    await expect(run('example', 'merge-source')).resolves.toEqual({
      exitCode: 1,
      out: '',
      errors: 'weir: There is no example "merge-source" (did you mean "merge-sources"?).',
    });
  });
});

describe('weir start', () => {
  it('executes a DAG by name, with parameters', async () => {
    const { exitCode, out } = await run('start', 'hello', '--run-id', 'mine', '--', 'who=two words');

    expect(out).toMatch(/^hello mine: started\n {2}greet: succeeded \(.* s\)\nhello mine: succeeded \(.* s\)$/);
    expect(exitCode).toBe(0);
    await expect(readFile(home.file('dags', 'said'), 'utf8')).resolves.toBe('hello two words\n');
  });

  it('executes a file that is elsewhere, in its folder', async () => {
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

  it('refuses what the engine cannot do yet, with a line for each part', async () => {
    const text = 'otel: {enabled: true}\nsteps:\n  - {name: a, run: echo, worker_selector: {gpu: yes}}\n';
    await writeFile(home.file('dags', 'later.yaml'), text);
    await expect(run('start', 'later')).resolves.toEqual({
      exitCode: 1,
      out: '',
      errors: 'later is valid, but this version cannot execute it yet:\n  - DAG: otel\n  - step "a": worker_selector',
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

  it('puts examples into a new folder, and says how to continue', async () => {
    await serve({}, async (out) => {
      expect(out).toMatch(/Weir is up: http:\/\/127\.0\.0\.1:\d+\/api\/v1\n/);
      expect(out).toContain('/auth/setup');
      expect(out).toContain('/dags/merge-sources/start -H "Authorization: Bearer $TOKEN"');
      expect(out).toContain('/dag-runs/merge-sources/latest');
      await expect(readdir(home.file('new'))).resolves.toHaveLength(3);
    });
  });

  it('puts none there when told so, and names none', async () => {
    await serve({ WEIR_SKIP_EXAMPLES: 'true', WEIR_AUTH_MODE: 'none' }, async (out) => {
      expect(out).not.toContain('merge-sources');
      expect(out).not.toContain('TOKEN');
      await expect(readdir(home.file('new'))).resolves.toEqual([]);
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

  it('says what a server refuses, and that one without a worker executes nothing', async () => {
    const server = await startServer('server');
    await expect(run('start', 'hello')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('executes no runs') as string,
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
    await buildHeartbeatWorker(home.path);
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
