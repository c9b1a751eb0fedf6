import { execFileSync } from 'node:child_process';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StepCommand } from './step-command';
import { useExecutor } from './testing/use-executor';

const executor = useExecutor();
const { aCommand, execute, run } = executor;

describe('a failure', () => {
  it('is reported by exit status and the end of stderr, without the command', async () => {
    const outcome = await run('echo "cannot reach $(echo ho)st" >&2; exit 7 # hunter2');

    expect(outcome).toMatchObject({ status: 'failed', exitCode: 7, error: 'exit status 7: cannot reach host' });
  });

  it('has the last line of stderr, below it at most one KiB of its end, and no output of an earlier attempt', async () => {
    await run('echo earlier >&2');
    expect((await run('echo now >&2; exit 1')).error).toBe('exit status 1: now');
    const { error = '' } = await run('i=0; while [ $i -lt 500 ]; do echo "line $i é" >&2; i=$((i+1)); done; exit 1');

    const [first = '', ...below] = error.split('\n');
    expect(first).toBe('exit status 1: line 499 é');
    expect(below.at(-1)).toBe('line 499 é');
    expect(Buffer.byteLength(below.join('\n'))).toBeLessThanOrEqual(1024);
  });

  it('names the signal that ended the process', async () => {
    const outcome = await run('kill -9 $$');

    expect(outcome).toMatchObject({ status: 'failed', exitCode: -1, signal: 'SIGKILL', error: 'ended by SIGKILL' });
  });

  it.each<[string, string, (command: StepCommand) => StepCommand | Promise<StepCommand>]>([
    ['a shell that is not there', 'was not found', (command) => ({ ...command, shell: ['/no/such/shell'] })],
    [
      'a shell that is not executable',
      'may not be executed',
      async (command) => {
        const shell = join(executor.folder, 'shell');
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
        await writeFile(join(executor.folder, 'file'), '');
        return { ...command, cwd: join(executor.folder, 'file') };
      },
    ],
    [
      'a link in place of a log file',
      'log files',
      async (command) => {
        await symlink(join(executor.folder, 'elsewhere'), join(executor.folder, 'link'));
        return { ...command, stdoutFile: join(executor.folder, 'link') };
      },
    ],
    [
      'a pipe in place of a log file',
      'log files',
      (command) => {
        execFileSync('mkfifo', [join(executor.folder, 'pipe')]);
        return { ...command, stderrFile: join(executor.folder, 'pipe') };
      },
    ],
  ])('is clear for %s', async (_case, text, change) => {
    const outcome = await execute(await change(aCommand(['echo hunter2'])));

    expect(outcome.status).toBe('failed');
    expect(outcome.error).toContain(text);
    expect(outcome.error).not.toContain('hunter2');
    expect(executor.started).toEqual([]);
  });
});
