import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { spawnProcess, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { onEachDatabase } from './support/databases';
import { aUser, setUpAdmin } from './support/people';
import { endOfRun } from './support/runs';
import { runWeir } from './support/weir-command';
import { program, startWeir, type Weir } from './support/weir-server';

// Each case is several processes, one after the other.
jest.setTimeout(60_000);

const skipExamples = { WEIR_SKIP_EXAMPLES: 'true' };
const hello = 'params: WHO=world\nsteps:\n  - {name: first, run: "echo secret-of-the-script $WHO"}\n';
const failing = 'steps:\n  - {name: bad, run: "exit 3"}\n  - {name: after, run: "true", depends: bad}\n';
const slow = 'steps:\n  - {name: hang, run: "exec sleep 300"}\n  - {name: after, run: "true", depends: hang}\n';
const stubborn = `steps:
  - {name: hang, run: 'trap "" TERM; while :; do sleep 1; done'}
`;
const files = {
  hello,
  failing,
  slow,
  'other-name': 'name: renamed\nsteps:\n  - {run: "true"}\n',
  broken: 'steps: 5\n',
  nightly: 'schedule: "0 3 * * *"\nsteps:\n  - {run: "true"}\n',
};

async function homeWithDags(): Promise<TemporaryFolder> {
  const home = temporaryFolder();
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(home.file('weir', 'dags', `${name}.yaml`), text);
  return home;
}

describe.each([
  ['without a server', undefined],
  ['through the server that has the database', 'server'],
] as const)('run control %s', (_, command) => {
  let home: TemporaryFolder;
  let server: Weir | undefined;

  beforeAll(async () => {
    home = await homeWithDags();
    await weir('start', 'hello', '--run-id', 'done', '--', 'WHO=secret-of-the-params');
    await weir('start', 'failing', '--run-id', 'broke');
    if (command !== undefined) server = await startWeir({ home, command, env: skipExamples });
  }, 90_000);

  afterAll(async () => {
    await (server === undefined ? home.remove() : server.dispose());
  });

  const weir = (...args: readonly string[]) => runWeir(args, { home, env: skipExamples });
  const enqueue = (dag: string, id: string, ...more: readonly string[]) =>
    weir('enqueue', dag, '--run-id', id, ...more);

  it('status prints the state, the run and its steps', async () => {
    const { code, stdout, stderr } = await weir('status', 'failing', '--run-id', 'broke');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('failed');
    expect(lines[1]).toMatch(/^failing broke: failed \(\d+\.\d\d s\)/);
    expect(lines[2]).toMatch(/^ {2}bad: failed/);
    expect(lines[3]).toMatch(/^ {2}after: aborted/);
  });

  it('status is of the newest run without an id, and takes a path', async () => {
    expect((await weir('status', home.file('weir', 'dags', 'hello.yaml'))).stdout).toMatch(/^succeeded\nhello done: /);
  });

  it('status fails with one line for a run that is not there', async () => {
    expect(await weir('status', 'hello', '--run-id', 'none')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'weir: There is no run "none" of the DAG "hello".\n',
    });
    expect(await weir('status', 'nobody')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'weir: There is no run of the DAG "nobody".\n',
    });
  });

  it('history lists runs newest first, as text and as JSON, without parameters and scripts', async () => {
    const text = await weir('history', 'hello');
    expect(text.stdout).toMatch(/^CREATED .*\n\S+ +succeeded +\d+\.\d\d +hello +done +manual\n$/);
    const json = await weir('history', '--format', 'json', '--to', '2200-01-01', '--limit', '1000');
    const { runs } = JSON.parse(json.stdout) as { runs: readonly { dagRunId: string }[] };
    const ids = runs.map(({ dagRunId }) => dagRunId);
    expect(ids.indexOf('broke')).toBeLessThan(ids.indexOf('done'));
    expect(text.stdout + json.stdout).not.toContain('secret-of');
  });

  it('history finds by state, time, id and number', async () => {
    const listIds = async (...flags: readonly string[]) => {
      const { stdout } = await weir('history', '--format', 'json', ...flags);
      return (JSON.parse(stdout) as { runs: readonly { dagRunId: string }[] }).runs.map(({ dagRunId }) => dagRunId);
    };

    expect(await listIds('failing', '--status', 'failed,succeeded')).toEqual(['broke']);
    expect(await listIds('failing', '--status', 'succeeded')).toEqual([]);
    expect(await listIds('failing', '--to', '2020-01-01')).toEqual([]);
    expect(await listIds('failing', '--from', '2020-01-01T00:00:00Z')).toEqual(['broke']);
    expect(await listIds('--run-id', 'done')).toEqual(['done']);
    expect(await listIds('--limit', '1')).toHaveLength(1);
  });

  it('history refuses what it does not understand', async () => {
    for (const flags of [
      ['--status', 'fine'],
      ['--from', 'yesterday'],
      ['--limit', '0'],
      ['--format', 'xml'],
    ]) {
      const { code, stdout, stderr } = await weir('history', ...flags);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(flags[0]);
    }
  });

  it('enqueue stores a run that ps shows and dequeue takes out', async () => {
    const flags = ['--queue', 'night', '--trigger-type', 'scheduler', '--schedule-time', '2026-01-02T03:00:00Z'];
    expect(await enqueue('hello', 'queued-1', ...flags)).toEqual({
      code: 0,
      stdout: 'hello queued-1: queued\n',
      stderr: '',
    });
    const { runs } = JSON.parse((await weir('ps', '--format', 'json')).stdout) as { runs: readonly object[] };
    expect(runs).toMatchObject([
      {
        dagRunId: 'queued-1',
        status: 'queued',
        queueName: 'night',
        triggerType: 'scheduler',
        scheduleTime: '2026-01-02T03:00:00.000Z',
      },
    ]);
    expect((await weir('dequeue', 'hello')).stdout).toBe('hello queued-1: aborted\n');
    expect((await weir('status', 'hello', '--run-id', 'queued-1')).stdout).toMatch(/^aborted\n.*\n {2}first: aborted/);
    expect((await weir('ps')).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('enqueue takes parameters, and refuses what start refuses', async () => {
    expect((await enqueue('hello', 'queued-2', '--params', 'WHO=you')).code).toBe(0);
    expect((await enqueue('hello', 'queued-2')).stderr).toBe('weir: The run id "queued-2" is taken.\n');
    expect((await enqueue('hello', 'a b')).code).toBe(1);
    expect((await enqueue('broken', 'queued-3')).stderr).toContain('Validation failed for broken');
    expect((await enqueue('nobody', 'queued-3')).stderr).toMatch(/^weir: There is no DAG "nobody"/);
    expect((await enqueue('hello', 'queued-3', '--trigger-type', 'cosmic')).code).toBe(1);
    expect((await weir('dequeue', 'hello', '--run-id', 'queued-2')).code).toBe(0);
  });

  it('dequeue fails for a run that is not queued, and may be repeated', async () => {
    expect(await weir('dequeue', 'hello', '--run-id', 'done')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'weir: The run "done" is not queued.\n',
    });
    await enqueue('hello', 'queued-4');
    expect((await weir('dequeue', 'hello', '--run-id', 'queued-4')).code).toBe(0);
    expect((await weir('dequeue', 'hello', '--run-id', 'queued-4')).code).toBe(0);
    expect((await weir('dequeue', 'hello')).stderr).toBe('weir: No run of the DAG "hello" is queued.\n');
  });

  it('stop aborts queued runs at once, one or all of a DAG', async () => {
    for (const id of ['wait-1', 'wait-2', 'wait-3']) await enqueue('slow', id);
    expect((await weir('stop', 'slow', '--run-id', 'wait-2')).stdout).toBe('slow wait-2: aborted\n');
    expect((await weir('stop', 'slow')).stdout.trim().split('\n').sort()).toEqual([
      'slow wait-1: aborted',
      'slow wait-3: aborted',
    ]);
    expect((await weir('stop', 'slow', '--run-id', 'wait-2')).stdout).toBe('slow wait-2: aborted\n');
  });

  it('stop fails for a run that has ended, and for a DAG without active runs', async () => {
    expect((await weir('stop', 'hello', '--run-id', 'done')).stderr).toBe('weir: The run "done" is not running.\n');
    expect(await weir('stop', 'failing')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'weir: No run of the DAG "failing" is active.\n',
    });
  });

  it('finds the runs of a DAG whose file has another name by either', async () => {
    await enqueue('other-name', 'by-file');
    expect((await weir('status', 'other-name')).stdout).toMatch(/^queued\nrenamed by-file/);
    expect((await weir('stop', 'renamed')).stdout).toBe('renamed by-file: aborted\n');
  });

  it('ls lists the files with their errors and next starts', async () => {
    const { code, stdout } = await weir('ls');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nightly +nightly +ok +\d{4}-\d\d-\d\dT/m);
    expect(stdout).toMatch(/^other-name +renamed +ok +-$/m);
    expect(stdout).toMatch(/^broken +broken +has errors +-$/m);
    expect(stdout).toMatch(/^ {2}- broken: \[1:8\] /m);
    const { dags } = JSON.parse((await weir('ls', '--format', 'json')).stdout) as { dags: readonly object[] };
    expect(dags).toHaveLength(Object.keys(files).length);
  });

  it('rm deletes one run with its log, and refuses an active one', async () => {
    const { stdout } = await weir('status', 'failing');
    const log = / log: (.*)$/m.exec(stdout)?.[1] ?? '';
    expect(existsSync(log)).toBe(true);
    expect((await weir('rm', 'failing', '--run-id', 'broke')).stdout).toBe('1 run removed\n');
    expect(existsSync(log)).toBe(false);
    expect((await weir('status', 'failing')).code).toBe(1);

    await enqueue('failing', 'active');
    expect((await weir('rm', 'failing', '--run-id', 'active')).stderr).toBe(
      'weir: The run "active" is active: stop it first.\n',
    );
    expect((await weir('rm', 'failing', '--history')).stdout).toBe('0 runs removed\n');
    expect((await weir('stop', 'failing')).code).toBe(0);
    expect((await weir('rm', 'failing', '--history', '--older-than', '1d')).stdout).toBe('0 runs removed\n');
    expect((await weir('rm', 'failing', '--history')).stdout).toBe('1 run removed\n');
  });

  it('rm wants to know which runs', async () => {
    for (const args of [[], ['hello'], ['--history'], ['hello', '--run-id', 'x', '--history'], ['--run-id', 'x']]) {
      const { code, stderr } = await weir('rm', ...args);
      expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    }
    expect((await weir('rm', '--history', '--older-than', 'long')).code).toBe(1);
  });
});

describe('weir dry', () => {
  let home: TemporaryFolder;

  beforeAll(async () => {
    home = await homeWithDags();
  });
  afterAll(() => home.remove());

  const dry = (...args: readonly string[]) => runWeir(['dry', ...args], { home, env: skipExamples });
  const dagFile = async (text: string): Promise<string> => {
    await writeFile(home.file('dry.yaml'), text);
    return home.file('dry.yaml');
  };

  it('prints the steps in the order in which they would run, and runs none', async () => {
    const file = await dagFile(
      'steps:\n  - {name: last, run: "touch ran", depends: [left, first]}\n  - {name: left, run: "touch ran", depends: first}\n  - {name: first, run: "touch ran"}\n',
    );
    const { code, stdout, stderr } = await dry(file);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      'steps:\n  1. first: command\n  2. left: command, after first\n  3. last: command, after ',
    );
    expect(existsSync(home.file('ran'))).toBe(false);
    expect((await runWeir(['history'], { home, env: skipExamples })).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('shows resolved parameters, and does not evaluate what is evaluated later', async () => {
    const file = await dagFile(
      'params:\n  - {name: A, default: one}\n  - {name: B, type: integer, default: 2}\n  - {name: C, eval: "`touch evaluated`"}\nsteps:\n  - run: "true"\n',
    );
    const { stdout } = await dry(file, '--params', 'A="two words"');

    expect(stdout).toContain('params:\n  A="two words"\n  B="2"\n  C is computed when the run starts\n');
    expect(existsSync(home.file('evaluated'))).toBe(false);
  });

  it('takes the flags of start', async () => {
    const flags = ['--run-id', 'r', '--queue', 'q', '--trigger-type', 'manual', '--schedule-time', '2026-01-02'];
    const { code, stdout } = await dry('hello', ...flags, '--', 'WHO=you');

    expect(code).toBe(0);
    expect(stdout).toContain('run:\n  id r\n  queue q\n  trigger manual\n  occurrence 2026-01-02T00:00:00.000Z\n');
    expect(stdout).toContain('WHO="you"');
  });

  it.each([
    ['a DAG with errors', ['broken'], 'Validation failed for broken'],
    ['parameters that are not valid', ['hello', '--params', '{broken'], 'The parameters are not valid'],
    ['a run id that is none', ['hello', '--run-id', 'latest'], 'A run id is'],
    ['a DAG that is not there', ['nobody'], 'There is no DAG "nobody"'],
  ])('exits 1 for %s', async (_, args, text) => {
    const { code, stdout, stderr } = await dry(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(text);
  });
});

describe('a run in the foreground', () => {
  it('is seen and stopped by other commands while it has the database', async () => {
    const home = await homeWithDags();
    const child = await spawnProcess({
      command: process.execPath,
      args: [program, 'start', 'slow', '--run-id', 'front', '--trigger-type', 'webhook'],
      env: { HOME: home.path, WEIR_HOME: home.file('weir'), ...skipExamples },
      cwd: home.path,
    });
    const weir = (...args: readonly string[]) => runWeir(args, { home, env: skipExamples });
    await child.waitForOutput('started');

    expect((await weir('status', 'slow')).stdout).toMatch(/^running\nslow front: running\n {2}hang: running/);
    expect((await weir('ps')).stdout).toMatch(/running +- +slow +front +webhook/);
    expect((await weir('rm', 'slow', '--run-id', 'front')).code).toBe(1);
    // It has no room for a run that is not its own.
    expect((await weir('start', 'hello')).code).toBe(1);
    expect((await weir('stop', 'slow')).stdout).toBe('slow front: asked to stop\n');
    expect((await child.exited).code).toBe(1);
    expect(child.stdout()).toContain('slow front: aborted');
    await home.remove();
  }, 60_000);
});

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: skipExamples });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    await client.createNewDag({ body: { name: 'slow', spec: slow } });
    await client.createNewDag({ body: { name: 'stubborn', spec: stubborn } });
    await client.createNewDag({ body: { name: 'hello', spec: hello } });
  }, 60_000);

  afterAll(() => weir.dispose());

  const post = (path: string, token: string | undefined = admin, body?: object) =>
    weir.request('POST', path, { token, body });
  const running = async (dagRunId: string, name = 'slow') => {
    await weir.createClient(admin).executeDag({ params: { fileName: name }, body: { dagRunId } });
    await waitFor(
      async () => {
        const { dagRunDetails } = await weir.createClient(admin).getDagRunDetails({ params: { name, dagRunId } });
        return dagRunDetails.nodes[0]?.statusLabel === 'running';
      },
      { what: 'the step to run' },
    );
  };

  describe('POST /dag-runs/{name}/{dagRunId}/stop', () => {
    it('returns 200, again too, and the run ends aborted', async () => {
      await running('stop-1');
      expect(await post('/dag-runs/slow/stop-1/stop')).toMatchObject({ status: 200 });
      expect((await post('/dag-runs/slow/stop-1/stop')).status).toBe(200);
      const run = await endOfRun(weir, admin, 'slow', 'stop-1');
      expect(run).toMatchObject({
        statusLabel: 'aborted',
        nodes: [{ statusLabel: 'aborted' }, { statusLabel: 'aborted' }],
      });
      expect((await post('/dag-runs/slow/stop-1/stop')).status).toBe(200);
    });

    it('returns 400 for a run that has ended', async () => {
      await post('/dags/hello/start', admin, { dagRunId: 'ended' });
      await endOfRun(weir, admin, 'hello', 'ended');
      expect(await post('/dag-runs/hello/ended/stop')).toMatchObject({ status: 400, body: { reason: 'not_running' } });
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/dag-runs/slow/x/stop')).status).toBe(401);
    });

    it('returns 403 for a viewer', async () => {
      const { token } = await aUser(weir, admin, 'viewer', 'stopper');
      await running('stop-2');
      expect((await post('/dag-runs/slow/stop-2/stop', token)).status).toBe(403);
      expect((await post('/dag-runs/slow/stop-2/stop')).status).toBe(200);
    });

    it('returns 404 for an unknown run, and for "latest"', async () => {
      expect((await post('/dag-runs/slow/none/stop')).status).toBe(404);
      expect((await post('/dag-runs/slow/latest/stop')).status).toBe(404);
    });
  });

  describe('POST /dags/{fileName}/stop-all', () => {
    it('returns 200 and every running run ends', async () => {
      for (const id of ['all-1', 'all-2', 'all-3']) await running(id);
      expect(await post('/dags/slow/stop-all')).toMatchObject({ status: 200, body: { errors: [] } });
      for (const id of ['all-1', 'all-2', 'all-3']) {
        expect((await endOfRun(weir, admin, 'slow', id)).statusLabel).toBe('aborted');
      }
    });

    it('returns 404 for an unknown DAG', async () => {
      expect((await post('/dags/nobody/stop-all')).status).toBe(404);
    });
  });

  describe('POST /dags/{fileName}/enqueue', () => {
    it('returns 200 with a run that is executed', async () => {
      const body = { params: 'WHO=you', dagRunId: 'in-queue', queue: 'night', labels: ['via=api'] };
      expect(await post('/dags/hello/enqueue', admin, body)).toMatchObject({
        status: 200,
        body: { dagRunId: 'in-queue' },
      });
      const run = await endOfRun(weir, admin, 'hello', 'in-queue');
      expect(run).toMatchObject({ statusLabel: 'succeeded', labels: ['via=api'], params: 'WHO=you' });
      expect(run.queuedAt).toBeDefined();
    });

    it('returns 400 for a queue that is none', async () => {
      expect((await post('/dags/hello/enqueue', admin, { queue: '../x' })).status).toBe(400);
    });

    it('returns 409 for an id that is taken', async () => {
      expect((await post('/dags/hello/enqueue', admin, { dagRunId: 'twice' })).status).toBe(200);
      expect((await post('/dags/hello/enqueue', admin, { dagRunId: 'twice' })).status).toBe(409);
    });
  });

  it('ends a run whose stop was requested before kill -9 as aborted', async () => {
    await running('crash', 'stubborn');
    expect((await post('/dag-runs/stubborn/crash/stop')).status).toBe(200);
    // The step ignores the signal, so the stored request is the only trace of it.
    await weir.process.stop({ signal: 'SIGKILL' });
    weir = await weir.restart();
    expect((await endOfRun(weir, admin, 'stubborn', 'crash')).statusLabel).toBe('aborted');
  }, 90_000);
});

describe('GET /dag-runs/{name}/{dagRunId}/dequeue', () => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await startWeir({ command: 'server', env: skipExamples });
    admin = await setUpAdmin(weir);
    await weir.createClient(admin).createNewDag({ body: { name: 'hello', spec: hello } });
    await weir.createClient(admin).enqueueDag({ params: { fileName: 'hello' }, body: { dagRunId: 'waiting' } });
  }, 60_000);
  afterAll(() => weir.dispose());

  const dequeue = (id: string, headers = {}) =>
    weir.request('GET', `/dag-runs/hello/${id}/dequeue`, { token: admin, headers });

  it('returns 403 for a page of another site, although the method is GET', async () => {
    expect((await dequeue('waiting', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('returns 200 and the run is aborted, and 404 for an unknown run', async () => {
    expect((await dequeue('waiting')).status).toBe(200);
    expect((await endOfRun(weir, admin, 'hello', 'waiting')).statusLabel).toBe('aborted');
    expect((await dequeue('none')).status).toBe(404);
  });
});
