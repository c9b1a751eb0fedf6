import { readFile, writeFile } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../support/weir-command';

describe('weir convert', () => {
  let home: TemporaryFolder;
  beforeEach(() => {
    home = temporaryFolder();
  });
  afterEach(() => home.remove());
  const weir = (...args: string[]) => runWeir(args, { home });

  it('converts a file to current spellings, after which it runs without a warning', async () => {
    const file = home.file('old.yaml');
    await writeFile(file, 'tags: a # why\nsteps:\n  - command: cat\n    script: |\n      one\n      two\n');

    expect((await weir('validate', file)).stderr).toContain('deprecated');
    expect((await weir('convert', '--check', file)).code).toBe(1);
    expect((await weir('convert', '--write', file)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(
      'labels: a # why\nsteps:\n  - run: |\n      one\n      two\n    with:\n      shell:\n        - cat\n',
    );
    expect(await weir('validate', file)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^ok: /) as string,
      stderr: '',
    });
    expect((await weir('convert', '--check', file)).code).toBe(0);
    expect((await weir('start', file)).code).toBe(0);
  });

  it('converts a crontab to DAG files, which run', async () => {
    await writeFile(home.file('crontab'), `HOME=${home.path}\n@hourly cat > said%one%two\n`);
    const made = await weir('convert', '--from', 'cron', '--to', home.file('made'), home.file('crontab'));

    expect(made).toMatchObject({ code: 0, stdout: `${home.file('made', 'cat.yaml')}\n` });
    expect((await weir('start', home.file('made', 'cat.yaml'))).code).toBe(0);
    expect(await readFile(home.file('said'), 'utf8')).toBe('one\ntwo\n');
  });
});
