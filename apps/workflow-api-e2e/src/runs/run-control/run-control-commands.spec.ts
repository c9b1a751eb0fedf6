import { existsSync } from 'node:fs';
import type { TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { startWeir, type Weir } from '../../support/weir-server';
import { files, homeWithDags, skipExamples } from './support/run-control-home';

// Each case is several processes, one after the other.
jest.setTimeout(60_000);

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

  it('status shows the newest run without an id, and accepts a path', async () => {
    expect((await weir('status', home.file('weir', 'dags', 'hello.yaml'))).stdout).toMatch(/^succeeded\nhello done: /);
  });

  it('status fails with one line for an unknown run', async () => {
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

  it('history refuses invalid filters', async () => {
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

  it('enqueue stores a run that ps shows and dequeue removes', async () => {
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

  it('enqueue accepts parameters, and refuses the same input as start', async () => {
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

  it('rm requires a selection of runs', async () => {
    for (const args of [[], ['hello'], ['--history'], ['hello', '--run-id', 'x', '--history'], ['--run-id', 'x']]) {
      const { code, stderr } = await weir('rm', ...args);
      expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    }
    expect((await weir('rm', '--history', '--older-than', 'long')).code).toBe(1);
  });
});
