import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CommandOutcome, StepCommand } from '../local-command/step-command';
import { enterNamespace } from '../isolation/enter-namespace';
import { findIsolationTools } from '../namespaces/isolation-tools';
import { canIsolate } from '../isolation/testing/can-isolate';
import { createLocalCommandExecutor } from '../local-command/local-command-executor';
import { isGroupAlive } from '../local-command/process-group';
import { processIdentity, readProcessStat } from '../local-command/process-identity';
import type { ProcessIdentity } from '../../model/steps/step-outcome';
import { bundleSpawner } from '../../testing/bundle-spawner';
import type { SpawnOrder } from './spawner-messages';
import { createSpawner, type SpawnedProcess, type Spawner } from './spawner';

const onLinux = process.platform === 'linux' ? it : it.skip;
const whereIsolated = canIsolate ? it : it.skip;

let folder: string;
let stop: AbortController;
let started: ProcessIdentity[];
let outcomes: Promise<CommandOutcome>[];
let spawner: Spawner;
let bundleFolder: string;
let programFile: string;

beforeAll(async () => {
  bundleFolder = await mkdtemp(join(tmpdir(), 'weir-spawner-bundle-'));
  programFile = await bundleSpawner(bundleFolder);
});
afterAll(() => rm(bundleFolder, { recursive: true }));

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'weir-spawner-spec-')));
  stop = new AbortController();
  started = [];
  outcomes = [];
  await Promise.all(['out', 'err'].map((name) => writeFile(join(folder, name), '')));
  spawner = createSpawner({ programFile, startsBefore: 0, idleMs: 10_000 });
});

afterEach(async () => {
  stop.abort();
  await Promise.allSettled(outcomes);
  await rm(folder, { recursive: true, force: true });
});

const anOrder = (script: string): SpawnOrder => ({
  program: '/bin/sh',
  args: ['-c', script],
  cwd: folder,
  env: { PATH: '/usr/bin:/bin' },
  stdoutFile: join(folder, 'out'),
  stderrFile: join(folder, 'err'),
  openFlags: constants.O_WRONLY | constants.O_APPEND,
});

const eventually = async <T>(find: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> => {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const found = await find();
    if (found !== undefined) return found;
    await wait(5);
  }
  throw new Error(`${what} did not happen in time`);
};

const spawned = (script: string): Promise<SpawnedProcess> =>
  eventually(() => spawner.start(anOrder(script)), 'the spawner coming up');

/** The number of the spawner itself, which is up then. */
const spawnerPid = async (): Promise<number> => {
  const { exit } = await spawned('echo $PPID >&2');
  await exit;
  return Number((await readFile(join(folder, 'err'), 'utf8')).trim());
};

/** One that nobody has collected yet is gone, too. */
const isGone = (pid: number) => ['Z', 'X'].includes(readProcessStat(pid)?.state ?? 'X') || undefined;

const execute = (command: string, changes: Partial<StepCommand> = {}): Promise<CommandOutcome> => {
  const executor = createLocalCommandExecutor({ clock: { now: () => new Date(0) }, killGraceMs: 200, spawner });
  const outcome = executor.run(
    {
      run: { kind: 'commands', commands: [command] },
      shell: ['/bin/sh'],
      isStepShell: false,
      cwd: join(folder, 'work'),
      env: { PATH: '/usr/bin:/bin' },
      stdoutFile: join(folder, 'logs', 'step.out'),
      stderrFile: join(folder, 'logs', 'step.err'),
      ...changes,
    },
    { signal: stop.signal, onStarted: (identity) => started.push(identity) },
  );
  outcomes.push(outcome);
  return outcome;
};

const stdout = () => readFile(join(folder, 'logs', 'step.out'), 'utf8').catch(() => '');
const firstLine = () => eventually(async () => (await stdout()).split('\n').slice(0, -1)[0], 'a line');

describe('a spawner', () => {
  it('leaves the first starts to the caller', () => {
    spawner = createSpawner({ programFile, startsBefore: 1 });

    expect(spawner.start(anOrder('true'))).toBeUndefined();
  });

  onLinux('ends when it has had nothing to do for a while, and another one comes when it is needed', async () => {
    spawner = createSpawner({ programFile, startsBefore: 0, idleMs: 50 });
    const pid = await spawnerPid();
    await eventually(() => isGone(pid), 'the end of the spawner');

    const { exit } = await spawned('exit 4');
    expect(await exit).toEqual({ exitCode: 4, signal: null });
  });

  whereIsolated('makes namespaces that outlive it', async () => {
    const tools = findIsolationTools();
    if ('missing' in tools) throw new Error(tools.missing);
    const closed = join(await realpath(folder), 'closed');
    await mkdir(closed);
    await writeFile(join(closed, 'secret'), 'hunter2');
    const pid = await spawnerPid();
    const namespace = await spawner.openNamespace({ tools, access: { closed: [closed], open: [] } });
    process.kill(pid, 'SIGKILL');
    await eventually(() => isGone(pid), 'the end of the spawner');
    if (namespace === undefined) throw new Error('There was no spawner.');

    const start = { program: '/bin/ls', args: ['-A', closed], cwd: '/', env: {} };
    const { program, args } = enterNamespace(tools, namespace, start);
    expect(spawnSync(program, args)).toMatchObject({ status: 0, stdout: Buffer.from('') });
    namespace.close();
  });

  whereIsolated('says why namespaces cannot be made', async () => {
    const tools = { bwrap: '/bin/false', nsenter: '', env: '', setpriv: '', cat: '' };
    await spawnerPid();

    await expect(spawner.openNamespace({ tools, access: { closed: [], open: [] } })).rejects.toThrow(
      'bubblewrap ended',
    );
  });

  // Starts a spawner, has it start a process, and tells the numbers of both.
  const owner = `const c = require('node:child_process').spawn(process.execPath, [process.argv[1]],
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    c.on('message', (m) => m.kind === 'up' ? c.send(JSON.parse(process.argv[2])) : console.log(c.pid, m.pid));`;

  onLinux.each([
    ['that handles it', "trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.02; done", 'up\nbye\n'],
    ['that does not, after a while', "trap '' TERM; echo up; while :; do sleep 0.02; done", 'up\n'],
  ])('ends with an owner that is killed, and ends a process %s', async (_, script, printed) => {
    const message = JSON.stringify({ kind: 'start', id: 1, order: anOrder(script) });
    const child = spawn(process.execPath, ['-e', owner, '--', programFile, message]);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [spawnerId = 0, processId = 0] = line.toString().split(' ').map(Number);
    const out = () => readFile(join(folder, 'out'), 'utf8');
    await eventually(async () => (await out()) === 'up\n' || undefined, 'the start of the process');
    child.kill('SIGKILL');
    await eventually(() => isGone(spawnerId), 'the end of the spawner');

    // A killed process counts as alive until the system's first process has taken note of its end.
    await eventually(() => !isGroupAlive(processId) || undefined, 'the end of the process');
    expect(await out()).toBe(printed);
  });
});

describe('a command started by a spawner', () => {
  let pid: number;

  beforeEach(async () => {
    pid = await spawnerPid();
  });

  it('reports its exit code and process', async () => {
    const outcome = await execute('echo $PPID; exit 3');

    expect(outcome).toMatchObject({ status: 'failed', exitCode: 3, process: started[0] });
    expect(Number(await stdout())).toBe(pid);
  });

  it('is reported by the signal that ended it and the end of stderr', async () => {
    const outcome = await execute('echo why >&2; kill -9 $$');

    expect(outcome).toMatchObject({ status: 'failed', signal: 'SIGKILL', error: 'ended by SIGKILL: why' });
  });

  onLinux('leads a session and group of its own, and can be found again by its identity', async () => {
    const outcome = execute('cut -d" " -f1,5,6 /proc/$$/stat; while [ ! -e go ]; do sleep 0.02; done');
    const line = await firstLine();

    // What it writes may come before the spawner has said that it is started.
    const identity = await eventually(() => started[0], 'its identity');
    expect(line).toBe(Array.from({ length: 3 }, () => identity.pid).join(' '));
    expect(await processIdentity(identity.pid)).toEqual(identity);
    await writeFile(join(folder, 'work', 'go'), '');
    await outcome;
  });

  onLinux('has an empty stdin, its environment and nothing of the channel', async () => {
    await execute('cat; env | sort | grep -v "^_\\|OLDPWD\\|SHLVL"; ls -l /proc/$$/fd | grep -c socket: || true', {
      env: { PATH: '/bin', A: 'ü "b"' },
    });

    const output = (await stdout()).replace(/^(WEIR_STEP_MARK)=[\da-f-]{36}$/m, '$1');
    expect(output).toBe(`A=ü "b"\nPATH=/bin\nPWD=${join(folder, 'work')}\nWEIR_STEP_MARK\n0\n`);
  });

  it.each<[string, string, Partial<StepCommand>]>([
    ['a shell that is not there', 'was not found', { shell: ['/no/such/shell'] }],
    ['a NUL in the environment', 'NUL character', { env: { A: 'hunter2\0' } }],
    ['too large an environment', 'too large', { env: { A: 'x'.repeat(3_000_000) } }],
  ])('fails clearly for %s', async (_case, text, changes) => {
    const { status, error } = await execute('echo hunter2', changes);

    expect(status).toBe('failed');
    expect(error).toContain(text);
    expect(error).not.toContain('hunter2');
    expect(started).toEqual([]);
  });

  it('is ended with its group by an abort', async () => {
    const outcome = execute('trap "" TERM; sleep 60 & echo up; wait; sleep 60');
    await firstLine();
    stop.abort();

    expect(await outcome).toMatchObject({ status: 'aborted', signal: 'SIGKILL' });
    expect(isGroupAlive(started[0]?.pid ?? 0)).toBe(false);
  });

  it('is ended and has failed when the spawner ends', async () => {
    const outcome = execute('echo up; sleep 60');
    await eventually(() => started[0], 'the report of the start');
    process.kill(pid, 'SIGKILL');

    expect(await outcome).toMatchObject({ status: 'failed', error: 'exit status unknown' });
    expect(isGroupAlive(started[0]?.pid ?? 0)).toBe(false);
    expect(await execute('exit 0')).toMatchObject({ status: 'succeeded' });
  });

  it('continues when a terminal interrupts the spawner', async () => {
    const outcome = execute('echo up; while [ ! -e go ]; do sleep 0.02; done');
    await firstLine();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    await writeFile(join(folder, 'work', 'go'), '');

    expect(await outcome).toMatchObject({ status: 'succeeded' });
  });
});
