import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessIdentity } from '../scope/step-ports';
import { createLocalCommandExecutor } from './local-command-executor';
import { isGroupAlive } from './process-group';
import { processIdentity } from './process-identity';
import type { CommandOutcome, StepCommand } from './step-command';

const killGraceMs = 200;
const onLinux = process.platform === 'linux' ? it : it.skip;

let folder: string;
let stop: AbortController;
let outcomes: Promise<CommandOutcome>[];
let started: ProcessIdentity[];
let nowMs: number;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'weir-executor-spec-')));
  stop = new AbortController();
  outcomes = [];
  started = [];
  nowMs = 0;
});

afterEach(async () => {
  stop.abort();
  await Promise.allSettled(outcomes);
  await rm(folder, { recursive: true, force: true });
});

const aCommand = (commands: readonly string[], changes: Partial<StepCommand> = {}): StepCommand => ({
  run: { kind: 'commands', commands },
  shell: ['/bin/sh'],
  isStepShell: false,
  cwd: join(folder, 'work'),
  env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  stdoutFile: join(folder, 'logs', 'step.out'),
  stderrFile: join(folder, 'logs', 'step.err'),
  ...changes,
});

const execute = (command: StepCommand): Promise<CommandOutcome> => {
  const clock = { now: () => new Date((nowMs += 1_000)) };
  const executor = createLocalCommandExecutor({ clock, killGraceMs, tempDir: folder });
  const outcome = executor.execute(command, {
    signal: AbortSignal.any([stop.signal]),
    onStarted: (identity) => {
      started.push(identity);
    },
  });
  outcomes.push(outcome);
  return outcome;
};

const run = (...commands: string[]) => execute(aCommand(commands));
const stdout = () => readFile(join(folder, 'logs', 'step.out'), 'utf8');
const inWork = (file: string) => join(folder, 'work', file);

/** The content of a file as soon as it has a whole line. */
const lineIn = async (file: string): Promise<string> => {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text.trim();
    await wait(5);
  }
  throw new Error(`${file} did not get a line in time`);
};

describe('a command', () => {
  it('gives its exit code, process and times', async () => {
    const outcome = await run('exit 0');

    expect(outcome).toEqual({
      status: 'succeeded',
      exitCode: 0,
      process: started[0],
      startedAt: new Date(1_000),
      endedAt: new Date(2_000),
    });
  });

  it('writes both streams to their files while it runs', async () => {
    const outcome = run('echo out; echo err >&2; while [ ! -e go ]; do sleep 0.02; done; echo end');

    expect(await lineIn(join(folder, 'logs', 'step.err'))).toBe('err');
    expect(await stdout()).toBe('out\n');
    await writeFile(inWork('go'), '');
    expect((await outcome).status).toBe('succeeded');
    expect(await stdout()).toBe('out\nend\n');
  });

  it('has an empty stdin', async () => {
    await run('cat; echo end');

    expect(await stdout()).toBe('end\n');
  });

  it('sees the environment it was given and nothing of this process', async () => {
    await execute(aCommand(['env'], { env: { PATH: '/usr/bin:/bin', GREETING: 'a "b" $c' } }));

    const names = (await stdout()).split('\n').map((line) => line.split('=')[0]);
    // The shell may add names of its own.
    expect(names.filter((name) => !['', '_', 'SHLVL', 'OLDPWD'].includes(name ?? '')).sort()).toEqual([
      'GREETING',
      'PATH',
      'PWD',
      'WEIR_STEP_MARK',
    ]);
    expect(await stdout()).toContain('GREETING=a "b" $c\n');
  });

  it('runs in its working folder, which is created', async () => {
    await execute(aCommand(['pwd -P; echo "$PWD"'], { cwd: join(folder, 'deep', 'er') }));

    const cwd = join(folder, 'deep', 'er');
    expect(await stdout()).toBe(`${cwd}\n${cwd}\n`);
  });

  onLinux('is leader of a session and group of its own', async () => {
    await run('cut -d" " -f1,5,6 /proc/$$/stat');

    const pid = String(started[0]?.pid);
    expect((await stdout()).trim()).toBe([pid, pid, pid].join(' '));
  });

  it('can be found again by its identity while it runs', async () => {
    const outcome = run('echo up; while [ ! -e go ]; do sleep 0.02; done');
    await lineIn(join(folder, 'logs', 'step.out'));

    expect(await processIdentity(started[0]?.pid ?? 0)).toEqual(started[0]);
    await writeFile(inWork('go'), '');
    await outcome;
    expect(await processIdentity(started[0]?.pid ?? 0)).toBeUndefined();
  });
});

describe('a list of commands', () => {
  it('runs one after another', async () => {
    expect(await run('echo one', 'echo two')).toMatchObject({ status: 'succeeded', process: started[1] });
    expect(await stdout()).toBe('one\ntwo\n');
  });

  it('stops at the first failure', async () => {
    expect(await run('echo one', 'exit 4', 'echo three')).toMatchObject({ status: 'failed', exitCode: 4 });
    expect(await stdout()).toBe('one\n');
  });
});

describe('a script', () => {
  const mode = process.platform === 'linux' ? 'stat -c %a' : 'stat -f %Lp';

  it('runs from a file of its owner only, which is gone afterwards', async () => {
    await run(`${mode} "$0"\n${mode} "$(dirname "$0")"\n`);

    expect(await stdout()).toBe('700\n700\n');
    expect((await readdir(folder)).sort()).toEqual(['logs', 'work']);
  });

  it('goes through a file even with one line', async () => {
    await execute(aCommand([], { run: { kind: 'script', script: 'basename "$0"' } }));

    expect(await stdout()).toBe('script\n');
  });

  it('is removed also when it fails', async () => {
    expect((await run('echo one\nexit 3')).exitCode).toBe(3);
    expect((await readdir(folder)).sort()).toEqual(['logs', 'work']);
  });

  it('stops at the first failing line in a default shell', async () => {
    expect((await run('false\necho after')).status).toBe('failed');
    expect(await stdout()).toBe('');
  });

  it('continues after a failing line in the shell of the step', async () => {
    await execute(aCommand(['false\necho after'], { isStepShell: true }));

    expect(await stdout()).toBe('after\n');
  });

  it('is run by its #! line', async () => {
    await run('#!/bin/cat\nprint me');

    expect(await stdout()).toBe('#!/bin/cat\nprint me');
  });

  it('is run by the shell of the step in spite of its #! line', async () => {
    await execute(aCommand(['#!/bin/cat\necho ran'], { isStepShell: true }));

    expect(await stdout()).toBe('ran\n');
  });

  it('may be longer than an argument can be', async () => {
    expect((await run(`: ${'x'.repeat(300_000)}`)).status).toBe('succeeded');
  });
});

describe('a failure', () => {
  it('is told by exit status and the end of stderr, without the command', async () => {
    const outcome = await run('echo "cannot reach $(echo ho)st" >&2; exit 7 # hunter2');

    expect(outcome).toMatchObject({ status: 'failed', exitCode: 7, error: 'exit status 7: cannot reach host' });
  });

  it('has at most one KiB of stderr, and nothing from before', async () => {
    await run('echo earlier >&2');
    expect((await run('echo now >&2; exit 1')).error).toBe('exit status 1: now');
    const { error = '' } = await run('i=0; while [ $i -lt 500 ]; do echo "line $i é" >&2; i=$((i+1)); done; exit 1');

    expect(error.endsWith('line 499 é')).toBe(true);
    expect(Buffer.byteLength(error)).toBeLessThanOrEqual(1024 + 'exit status 1: '.length);
  });

  it('names the signal that ended the process', async () => {
    const outcome = await run('kill -9 $$');

    expect(outcome).toMatchObject({ status: 'failed', signal: 'SIGKILL', error: 'ended by SIGKILL' });
    expect('exitCode' in outcome).toBe(false);
  });

  it.each<[string, string, (command: StepCommand) => StepCommand | Promise<StepCommand>]>([
    ['a shell that is not there', 'was not found', (command) => ({ ...command, shell: ['/no/such/shell'] })],
    [
      'a shell that is not executable',
      'may not be executed',
      async (command) => {
        const shell = join(folder, 'shell');
        await writeFile(shell, '#!/bin/sh\n');
        await chmod(shell, 0o644);
        return { ...command, shell: [shell] };
      },
    ],
    [
      'a NUL in the command',
      'NUL character',
      (command) => ({ ...command, run: { kind: 'commands', commands: ['echo hunter2 \0'] } }),
    ],
    ['a NUL in the environment', 'NUL character', (command) => ({ ...command, env: { A: 'hunter2\0' } })],
    ['too large an environment', 'too large', (command) => ({ ...command, env: { A: 'x'.repeat(3_000_000) } })],
    [
      'a file in place of the working folder',
      'working folder',
      async (command) => {
        await writeFile(join(folder, 'file'), '');
        return { ...command, cwd: join(folder, 'file') };
      },
    ],
    [
      'a link in place of a log file',
      'log files',
      async (command) => {
        await symlink(join(folder, 'elsewhere'), join(folder, 'link'));
        return { ...command, stdoutFile: join(folder, 'link') };
      },
    ],
    [
      'a pipe in place of a log file',
      'log files',
      (command) => {
        execFileSync('mkfifo', [join(folder, 'pipe')]);
        return { ...command, stderrFile: join(folder, 'pipe') };
      },
    ],
  ])('is clear for %s', async (_case, text, change) => {
    const outcome = await execute(await change(aCommand(['echo hunter2'])));

    expect(outcome.status).toBe('failed');
    expect(outcome.error).toContain(text);
    expect(outcome.error).not.toContain('hunter2');
    expect(started).toEqual([]);
  });
});

describe('log files', () => {
  it('are readable by their owner only', async () => {
    await run('echo x');

    const modes = await Promise.all(['', 'step.out', 'step.err'].map((name) => stat(join(folder, 'logs', name))));
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600']);
  });

  it('are appended to by a later attempt', async () => {
    await run('echo one');
    await run('echo two');

    expect(await stdout()).toBe('one\ntwo\n');
  });

  it('may be one file for both streams', async () => {
    const merged = join(folder, 'logs', 'step.log');
    await execute(aCommand(['echo a; echo b >&2; echo c'], { stdoutFile: merged, stderrFile: merged }));

    expect(await readFile(merged, 'utf8')).toBe('a\nb\nc\n');
  });

  onLinux('cost no descriptor of this process while steps run', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    const held = Array.from({ length: 20 }, (_, index) =>
      execute(
        aCommand(['echo up; while [ ! -e go ]; do sleep 0.05; done'], {
          stdoutFile: join(folder, 'logs', `${index}.out`),
          stderrFile: join(folder, 'logs', `${index}.err`),
        }),
      ),
    );
    await Promise.all(held.map((_, index) => lineIn(join(folder, 'logs', `${index}.out`))));
    const during = (await readdir('/proc/self/fd')).length;
    await writeFile(inWork('go'), '');
    await Promise.all(held);

    // The first read of a folder or file may open something that stays, but nothing that grows with the steps.
    expect(during - before).toBeLessThan(5);
  });
});

describe('an abort', () => {
  it('lets the command end by itself within the grace time', async () => {
    const outcome = run('trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.02; done');
    await lineIn(join(folder, 'logs', 'step.out'));
    stop.abort();

    expect(await outcome).toMatchObject({ status: 'aborted', exitCode: 0, error: 'run stopped' });
    expect(await stdout()).toBe('up\nbye\n');
  });

  it('ends grandchildren too, by SIGKILL when they ignore SIGTERM', async () => {
    const stubborn = `sh -c 'trap "" TERM; echo $$ > stubborn; while :; do sleep 0.05; done'`;
    const outcome = run(`${stubborn} & wait`);
    const grandchild = Number(await lineIn(inWork('stubborn')));
    const group = started[0]?.pid ?? 0;
    expect(isGroupAlive(group)).toBe(true);
    stop.abort();

    expect(await outcome).toMatchObject({ status: 'aborted', signal: 'SIGTERM' });
    expect(grandchild).not.toBe(group);
    expect(isGroupAlive(group)).toBe(false);
  });

  it('ends a command that ignores SIGTERM itself', async () => {
    const outcome = run('trap "" TERM; echo up; while :; do sleep 0.05; done');
    await lineIn(join(folder, 'logs', 'step.out'));
    stop.abort();

    expect(await outcome).toMatchObject({ status: 'aborted', signal: 'SIGKILL' });
    expect(isGroupAlive(started[0]?.pid ?? 0)).toBe(false);
  });

  it('starts no further command of a list', async () => {
    const outcome = run('trap "exit 0" TERM; echo up; while :; do sleep 0.02; done', 'echo two');
    await lineIn(join(folder, 'logs', 'step.out'));
    stop.abort();

    expect((await outcome).status).toBe('aborted');
    expect(await stdout()).toBe('up\n');
  });

  it('that came before the start starts nothing', async () => {
    stop.abort();

    expect((await run('echo one')).status).toBe('aborted');
    expect(started).toEqual([]);
  });
});

describe('what a command leaves running in the background', () => {
  it('is ended with it', async () => {
    const outcome = await run('sleep 300 & echo $!');

    expect(outcome).toMatchObject({ status: 'succeeded', exitCode: 0 });
    expect(isGroupAlive(started[0]?.pid ?? 0)).toBe(false);
  });

  it('is ended by SIGKILL when it ignores SIGTERM', async () => {
    const outcome = await run(
      `sh -c 'trap "" TERM; echo up > up; while :; do sleep 0.05; done' & until [ -s up ]; do :; done`,
    );

    expect(outcome.status).toBe('succeeded');
    expect(isGroupAlive(started[0]?.pid ?? 0)).toBe(false);
  });
});
