import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';

describe('file dependencies', () => {
  const home = temporaryFolder();

  beforeAll(() => {
    mkdirSync(home.file('src', 'lib', 'deep'), { recursive: true });
    writeFileSync(home.file('src', 'data.txt'), 'first');
    writeFileSync(home.file('src', 'lib', 'run.sh'), '#!/bin/sh\necho "lib $(cat data.txt)"\n', { mode: 0o755 });
    writeFileSync(home.file('src', 'lib', 'deep', 'part.sh'), 'echo part\n');
    writeFileSync(home.file('src', 'other.txt'), 'not declared');
    symlinkSync('/etc/hostname', home.file('src', 'link'));
  });
  afterAll(() => home.remove());

  const weir = (...args: readonly string[]) => runWeir(args, { home });
  function file(name: string, dag: object): string {
    writeFileSync(home.file('src', `${name}.yaml`), JSON.stringify({ type: 'chain', ...dag }));
    return home.file('src', `${name}.yaml`);
  }

  it('are copied for all steps, and changes by steps stay in the run', async () => {
    const dag = file('copied', {
      handler_on: { exit: { run: 'cat data.txt > exit.txt; ls exit.txt', dependencies: 'data.txt' } },
      steps: [
        { run: './lib/run.sh; sh lib/deep/part.sh; ls', dependencies: ['lib/**/*.sh', 'lib/run.sh'] },
        { run: 'echo second > data.txt; cat data.txt' },
      ],
    });
    const { code } = await weir('start', dag);
    const { stdout } = await weir('logs', 'copied');
    expect(stdout).toContain('lib first');
    expect(stdout).toContain('part');
    expect(stdout).not.toContain('other.txt');
    expect(code).toBe(0);
    expect(readFileSync(home.file('src', 'data.txt'), 'utf8')).toBe('first');
  });

  it('are copied again by a retry', async () => {
    const dag = file('retried', { steps: [{ run: 'cat data.txt; grep -q third data.txt', dependencies: '*.txt' }] });
    expect(await weir('start', '--run-id', 'again', dag)).toMatchObject({ code: 1 });
    writeFileSync(home.file('src', 'data.txt'), 'third');
    expect(await weir('retry', '--run-id', 'again', 'retried')).toMatchObject({ code: 0 });
    expect((await weir('logs', 'retried', 'again')).stdout).toContain('third');
  });

  it.each([
    ['nothing.txt', 'the file dependency "nothing.txt" matches no file'],
    ['lib/*.py', 'the file dependency "lib/*.py" matches no file'],
    ['link', 'the file dependency "link" names a link or a special file: link'],
  ])('of %s fail the run before its steps', async (dependencies, message) => {
    const dag = file('missing', { steps: [{ run: `touch ${home.file('executed')}`, dependencies }] });
    const { code, stdout } = await weir('start', dag);
    expect(code).toBe(1);
    expect(stdout).toContain(message);
    expect(() => readFileSync(home.file('executed'))).toThrow('ENOENT');
  });
});
