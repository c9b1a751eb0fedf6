import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { useCommands } from './testing/use-commands';

const here = useCommands();
const { home, begin, run } = here;
const elsewhere = () => ({ WEIR_HOME: home().file('elsewhere') });

async function runElsewhere(...words: readonly string[]) {
  const command = begin(words, elsewhere());
  return { exitCode: await command.exitCode, out: command.out(), errors: command.errors() };
}

describe('weir backup and weir restore', () => {
  it('carry users, runs, logs and files of a server that is running to a fresh home folder', async () => {
    const server = begin(['start-all', '--port', '0'], { WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' });
    await waitFor(() => server.out().includes('Weir is up'), { what: 'the server' });
    await mkdir(home().file('auth'), { recursive: true });
    await writeFile(home().file('auth', 'token_secret'), 'kept');
    await expect(run('start', 'hello', '-r', 'before')).resolves.toMatchObject({ exitCode: 0 });
    await expect(run('backup', 'weir.tar.gz')).resolves.toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/weir\.tar\.gz: (?!0\.0)\d+\.\d MB/) as string,
    });
    await expect(run('start', 'hello', '-r', 'after')).resolves.toMatchObject({ exitCode: 0 });
    server.signals.emit('SIGTERM', 'SIGTERM');
    await server.exitCode;

    expect((await stat(home().file('weir.tar.gz'))).mode & 0o777).toBe(0o600);
    expect((await readdir(home().path)).filter((name) => name.startsWith('.weir-backup-'))).toEqual([]);
    await expect(runElsewhere('restore', home().file('weir.tar.gz'))).resolves.toMatchObject({ exitCode: 0 });
    const { out } = await runElsewhere('history');
    expect(out).toContain('before');
    expect(out).not.toContain('after');
    await expect(readFile(home().file('elsewhere', 'auth', 'token_secret'), 'utf8')).resolves.toBe('kept');
    await expect(runElsewhere('logs', 'hello', 'before')).resolves.toMatchObject({ exitCode: 0 });
    await expect(runElsewhere('start', 'hello')).resolves.toMatchObject({ exitCode: 0 });
  });

  it('overwrite neither an archive nor a home folder', async () => {
    await run('start', 'hello', '-q');
    await run('backup', 'weir.tar.gz');
    const before = await readFile(home().file('weir.tar.gz'));

    await expect(run('backup', 'weir.tar.gz')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('is not overwritten') as string,
    });
    expect((await readFile(home().file('weir.tar.gz'))).equals(before)).toBe(true);
    await expect(run('restore', 'weir.tar.gz')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('is not empty') as string,
    });
  });

  it('leave no files of a damaged archive', async () => {
    await run('start', 'hello', '-q');
    await run('backup', 'weir.tar.gz');
    const archive = await readFile(home().file('weir.tar.gz'));
    await writeFile(home().file('half.tar.gz'), archive.subarray(0, archive.length / 2));

    await expect(runElsewhere('restore', home().file('half.tar.gz'))).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('is damaged') as string,
    });
    expect((await readdir(home().path)).filter((name) => name.startsWith('elsewhere'))).toEqual([]);
    await expect(runElsewhere('restore', 'none.tar.gz')).resolves.toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('There is no file') as string,
    });
  });

  it('name the tool to use for PostgreSQL', async () => {
    const command = begin(['backup', 'weir.tar.gz'], { WEIR_DATABASE_URL: 'postgres://weir@127.0.0.1:9/weir' });

    await expect(command.exitCode).resolves.toBe(1);
    expect(command.errors()).toContain('pg_dump');
  });
});

describe('weir doctor', () => {
  const results = (out: string): Readonly<Record<string, string>> => {
    const { checks } = JSON.parse(out) as { readonly checks: readonly { name: string; result: string }[] };
    return Object.fromEntries(checks.map(({ name, result }) => [name, result]));
  };

  it('finds no problem in a working installation', async () => {
    await run('start', 'hello', '-q');
    const { exitCode, out } = await run('doctor', '--format', 'json');

    expect(results(out)).toMatchObject({ program: 'ok', database: 'ok', server: 'warning', 'DAG files': 'ok' });
    expect(exitCode).toBe(0);
  });

  it('names the problems, and changes nothing', async () => {
    await writeFile(home().file('dags', 'broken.yaml'), 'stepz: 1\n');
    await mkdir(home().file('data'));
    await writeFile(
      home().file('data', 'weir.db'),
      'no database at all, but long enough to be read as a page\n'.repeat(100),
    );
    const { exitCode, out } = await run('doctor');

    expect(out).toMatch(/database +failed/);
    expect(out).toMatch(/DAG files +failed +errors in broken; see "weir ls"/);
    expect(exitCode).toBe(1);
    await expect(run('doctor', '--format', 'yaml')).resolves.toMatchObject({
      out: expect.stringContaining('- name: database\n    result: failed') as string,
    });
    const open = begin(['doctor', '--format', 'json'], { WEIR_AUTH_MODE: 'none', WEIR_HOST: '0.0.0.0' });
    await open.exitCode;
    expect(results(open.out())).toMatchObject({ 'sign-in': 'failed' });
  });
});
