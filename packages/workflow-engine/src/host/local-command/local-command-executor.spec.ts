import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processIdentity } from './process-identity';
import { lineIn, useExecutor } from './testing/use-executor';

const executor = useExecutor();
const { aCommand, execute, run, stdout, inWork } = executor;
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('a command', () => {
  it('reports its exit code, process and times', async () => {
    const outcome = await run('exit 0');

    expect(outcome).toEqual({
      status: 'succeeded',
      exitCode: 0,
      process: executor.started[0],
      startedAt: new Date(1_000),
      endedAt: new Date(2_000),
    });
  });

  it('writes both streams to their files while it runs', async () => {
    const outcome = run('echo out; echo err >&2; while [ ! -e go ]; do sleep 0.02; done; echo end');

    expect(await lineIn(join(executor.folder, 'logs', 'step.err'))).toBe('err');
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
    await execute(aCommand(['pwd -P; echo "$PWD"'], { cwd: join(executor.folder, 'deep', 'er') }));

    const cwd = join(executor.folder, 'deep', 'er');
    expect(await stdout()).toBe(`${cwd}\n${cwd}\n`);
  });

  onLinux('is leader of a session and group of its own', async () => {
    await run('cut -d" " -f1,5,6 /proc/$$/stat');

    const pid = String(executor.started[0]?.pid);
    expect((await stdout()).trim()).toBe([pid, pid, pid].join(' '));
  });

  it('can be found again by its identity while it runs', async () => {
    const outcome = run('echo up; while [ ! -e go ]; do sleep 0.02; done');
    await lineIn(join(executor.folder, 'logs', 'step.out'));

    expect(await processIdentity(executor.started[0]?.pid ?? 0)).toEqual(executor.started[0]);
    await writeFile(inWork('go'), '');
    await outcome;
    expect(await processIdentity(executor.started[0]?.pid ?? 0)).toBeUndefined();
  });
});

describe('a list of commands', () => {
  it('runs one after another', async () => {
    expect(await run('echo one', 'echo two')).toMatchObject({ status: 'succeeded', process: executor.started[1] });
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
    expect((await readdir(executor.folder)).sort()).toEqual(['logs', 'work']);
  });

  it('goes through a file even with one line', async () => {
    await execute(aCommand([], { run: { kind: 'script', script: 'basename "$0"' } }));

    expect(await stdout()).toBe('script\n');
  });

  it('is removed even if it fails', async () => {
    expect((await run('echo one\nexit 3')).exitCode).toBe(3);
    expect((await readdir(executor.folder)).sort()).toEqual(['logs', 'work']);
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
