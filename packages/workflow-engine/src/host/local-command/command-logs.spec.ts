import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lineIn, useExecutor } from './testing/use-executor';

const executor = useExecutor();
const { aCommand, execute, run, stdout, inWork } = executor;
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('log files', () => {
  it('are readable by their owner only', async () => {
    await run('echo x');

    const modes = await Promise.all(
      ['', 'step.out', 'step.err'].map((name) => stat(join(executor.folder, 'logs', name))),
    );
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600', '600']);
  });

  it('are appended to by a later attempt', async () => {
    await run('echo one');
    await run('echo two');

    expect(await stdout()).toBe('one\ntwo\n');
  });

  it('may be one file for both streams', async () => {
    const merged = join(executor.folder, 'logs', 'step.log');
    await execute(aCommand(['echo a; echo b >&2; echo c'], { stdoutFile: merged, stderrFile: merged }));

    expect(await readFile(merged, 'utf8')).toBe('a\nb\nc\n');
  });

  onLinux('cost no descriptor of this process while steps run', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    const held = Array.from({ length: 20 }, (_, index) =>
      execute(
        aCommand(['echo up; while [ ! -e go ]; do sleep 0.05; done'], {
          stdoutFile: join(executor.folder, 'logs', `${index}.out`),
          stderrFile: join(executor.folder, 'logs', `${index}.err`),
        }),
      ),
    );
    await Promise.all(held.map((_, index) => lineIn(join(executor.folder, 'logs', `${index}.out`))));
    const during = (await readdir('/proc/self/fd')).length;
    await writeFile(inWork('go'), '');
    await Promise.all(held);

    // The first read of a folder or file may open something that stays, but nothing that grows with the steps.
    expect(during - before).toBeLessThan(5);
  });
});
