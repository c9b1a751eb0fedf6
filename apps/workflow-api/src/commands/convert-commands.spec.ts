import { readFile, stat, writeFile } from 'node:fs/promises';
import { useCommands } from './testing/use-commands';

const { home, run } = useCommands();
const old = '# nightly\ntags: a\nsteps:\n  - call: child # which\n    params: x=1\n';
const current =
  '# nightly\nlabels: a\nsteps:\n  - action: dag.run\n    with:\n      dag: child # which\n      params: x=1\n';
const read = (name: string) => readFile(home().file(name), 'utf8');
beforeEach(() => writeFile(home().file('old.yaml'), old));

describe('weir convert', () => {
  it('prints a file in the current spelling, and changes nothing', async () => {
    await expect(run('convert', 'old.yaml')).resolves.toEqual({ exitCode: 0, out: current.trimEnd(), errors: '' });
    await expect(read('old.yaml')).resolves.toBe(old);
  });

  it('--write: changes the files of a folder that have older spellings, and only those', async () => {
    await writeFile(home().file('dags', 'old.yml'), old, { mode: 0o640 });
    const before = await stat(home().file('dags', 'hello.yaml'));

    await expect(run('convert', '--write', 'dags')).resolves.toEqual({
      exitCode: 0,
      out: 'dags/old.yml: 3 older spellings replaced',
      errors: '',
    });
    await expect(read('dags/old.yml')).resolves.toBe(current);
    expect((await stat(home().file('dags', 'old.yml'))).mode & 0o777).toBe(0o640);
    expect((await stat(home().file('dags', 'hello.yaml'))).mtimeMs).toBe(before.mtimeMs);
    await expect(run('convert', '--write', 'dags')).resolves.toEqual({ exitCode: 0, out: '', errors: '' });
  });

  it('--check: fails where a file has older spellings, and changes nothing', async () => {
    await expect(run('convert', '--check', 'old.yaml', 'dags')).resolves.toEqual({
      exitCode: 1,
      out: 'old.yaml: 3 older spellings',
      errors: '',
    });
    await expect(read('old.yaml')).resolves.toBe(old);
    await expect(run('convert', '--check', 'dags')).resolves.toMatchObject({ exitCode: 0, out: '' });
  });

  it('--diff: prints what would change', async () => {
    const { exitCode, out } = await run('convert', '--diff', 'old.yaml');
    expect(exitCode).toBe(0);
    expect(out).toContain('--- old.yaml');
    expect(out).toContain('\n-tags: a\n+labels: a\n');
  });

  it('names the parts that it leaves, and files that it cannot convert', async () => {
    await writeFile(home().file('left.yaml'), 'max_active_runs: 1\nsteps: [x]\n');
    await writeFile(home().file('bad.yaml'), 'tags: a\nstepz: 1\n');
    const { exitCode, errors } = await run('convert', '--write', 'left.yaml', 'bad.yaml', 'none.yaml');

    expect(exitCode).toBe(1);
    expect(errors).toMatch(/^left\.yaml: left as it is: \[1:1\] "max_active_runs"/);
    expect(errors).toContain('bad.yaml was not converted:\n  - [2:1]');
    expect(errors).toContain('none.yaml: there is no such file');
    await expect(read('bad.yaml')).resolves.toBe('tags: a\nstepz: 1\n');
  });

  it.each([
    ['several files without a flag', ['old.yaml', 'dags'], 'Give --write, --check or --diff'],
    ['two flags that exclude each other', ['--write', '--check', 'old.yaml'], 'cannot be used with'],
    ['a folder for the result of a DAG file', ['--to', 'x', 'old.yaml'], '--to is for --from cron'],
    ['flags of DAG files for a crontab', ['--from', 'cron', '--diff', 'old.yaml'], 'takes one file, and --to'],
  ])('refuses %s', async (_, words, message) => {
    const { exitCode, out, errors } = await run('convert', ...words);
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(errors).toContain(message);
  });
});

describe('weir convert --from cron', () => {
  const crontab = 'CRON_TZ=Europe/Berlin\n# Says it\n@daily echo 5\\% > said\n@reboot x\n';
  beforeEach(() => writeFile(home().file('crontab'), `HOME=${home().path}\n${crontab}`));

  it('prints the DAG of each line, and names the lines without one', async () => {
    const { exitCode, out, errors } = await run('convert', '--from', 'cron', 'crontab');
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^# echo\.yaml\ndescription: Says it\nschedule: CRON_TZ=Europe\/Berlin 0 0 \* \* \*\n/);
    expect(errors).toMatch(/^crontab:5: not converted: "@reboot" has no counterpart/);
  });

  it('--from system-cron: takes the user of each line for no part of its command', async () => {
    await writeFile(home().file('system'), '5 4 * * * root echo clean\n');
    const { exitCode, out, errors } = await run('convert', '--from', 'system-cron', 'system');
    expect({ exitCode, out: out.split('\n').at(-1) }).toEqual({ exitCode: 0, out: '  - run: echo clean' });
    expect(errors).toMatch(/^system:1: note: cron runs the command as root;/);
  });

  it('--to: creates files that run, and replaces none', async () => {
    await expect(run('convert', '--from', 'cron', '--to', 'made', 'crontab')).resolves.toMatchObject({
      out: home().file('made', 'echo.yaml'),
    });
    await expect(run('start', 'made/echo.yaml')).resolves.toMatchObject({ exitCode: 0 });
    // Where cron starts its commands.
    await expect(read('said')).resolves.toBe('5%\n');
    const again = await run('convert', '--from', 'cron', '--to', 'made', 'crontab');
    expect(again).toMatchObject({ exitCode: 1, errors: expect.stringContaining('is not replaced') as string });
  });
});
