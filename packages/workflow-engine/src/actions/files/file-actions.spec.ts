import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { actionFixture, type ActionFixture } from '../testing/action-fixture';

let fixture: ActionFixture;
beforeEach(async () => (fixture = await actionFixture()));
afterEach(() => fixture.remove());

async function put(name: string, content = name): Promise<void> {
  await mkdir(dirname(fixture.path(name)), { recursive: true });
  await writeFile(fixture.path(name), content);
}
const readContent = (name: string) => readFile(fixture.path(name), 'utf8').catch(() => undefined);
const readMode = async (name: string) => ((await stat(fixture.path(name))).mode & 0o7777).toString(8);

async function readError(action: ExecutableActionName, settings: JsonObject): Promise<string | undefined> {
  const { outcome } = await fixture.run(action, settings);
  expect(outcome.status).toBe('failed');
  return outcome.error;
}

async function succeed(action: ExecutableActionName, settings: JsonObject): Promise<string> {
  const { outcome, stdout } = await fixture.run(action, settings);
  expect(outcome).toEqual({ status: 'succeeded' });
  return stdout;
}

describe('file.write', () => {
  it('writes below the working folder, with the requested mode', async () => {
    await succeed('file.write', { path: 'a.txt', content: 'text', mode: '600' });

    expect(await readContent('a.txt')).toBe('text');
    expect(await readMode('a.txt')).toBe('600');
  });

  it.each([[{}], [{ atomic: true }]])('keeps an existing file without overwrite (%j)', async (more) => {
    await put('a.txt', 'old');

    expect(await readError('file.write', { path: 'a.txt', content: 'new', ...more })).toContain('already exists');
    expect(await readContent('a.txt')).toBe('old');
    await succeed('file.write', { path: 'a.txt', content: 'new', overwrite: true, ...more });
    expect(await readContent('a.txt')).toBe('new');
    expect((await readdir(fixture.folder)).sort()).toEqual(['a.txt', 'logs']);
  });

  it('does not wait for a reader of a pipe', async () => {
    execFileSync('mkfifo', [fixture.path('pipe')]);

    const error = await readError('file.write', { path: 'pipe', content: 'x', overwrite: true });
    expect(error).toBe('path is a pipe without a reader (ENXIO).');
  });

  it('does not write to a device', async () => {
    const error = await readError('file.write', { path: '/dev/null', content: 'x', overwrite: true });
    expect(error).toBe('path is not a regular file.');
  });

  it('makes folders only when asked to', async () => {
    expect(await readError('file.write', { path: 'x/y/a', content: '' })).toContain('was not found');
    await succeed('file.write', { path: 'x/y/a', content: '', create_dirs: true });
    expect(await readContent('x/y/a')).toBe('');
  });

  it('writes a value, or a string that is JSON, as JSON', async () => {
    await succeed('file.write', { path: 'a.json', content: { a: [1] }, format: 'json' });
    await succeed('file.write', { path: 'b.json', content: '{"a":[1]}', format: 'json' });

    expect(JSON.parse((await readContent('a.json')) ?? '')).toEqual({ a: [1] });
    expect(await readContent('b.json')).toBe(await readContent('a.json'));
  });

  it('only reports what it would do in a dry run', async () => {
    expect(await succeed('file.write', { path: 'a.txt', content: 'text', dry_run: true })).toContain('would write 4');
    expect(await readContent('a.txt')).toBeUndefined();
  });

  it('knows the home folder of the step', async () => {
    await succeed('file.write', { path: '~/a', content: 'x', create_dirs: true });
    expect(await readContent('home/a')).toBe('x');
  });
});

describe('file.read', () => {
  it('prints a file as it is, or as JSON on one line', async () => {
    await put('a.json', '{\n "a": 1 }');

    expect(await succeed('file.read', { path: 'a.json' })).toBe('{\n "a": 1 }');
    expect(await succeed('file.read', { path: 'a.json', format: 'json' })).toBe('{"a":1}\n');
  });

  it('refuses a file that is too long, invalid as JSON or missing, a folder, a pipe and a link', async () => {
    await put('a', 'secret text');
    await symlink(fixture.path('a'), fixture.path('link'));
    execFileSync('mkfifo', [fixture.path('pipe')]);

    expect(await readError('file.read', { path: 'a', max_bytes: 5 })).toBe('path contains more than 5 bytes.');
    expect(await readError('file.read', { path: 'a', format: 'json' })).toBe('path does not contain JSON.');
    expect(await readError('file.read', { path: 'none' })).toContain('was not found');
    expect(await readError('file.read', { path: '.' })).toContain('not a regular file');
    expect(await readError('file.read', { path: 'pipe' })).toContain('not a regular file');
    expect(await readError('file.read', { path: 'link' })).toContain('follow_symlinks');
    expect(await succeed('file.read', { path: 'link', follow_symlinks: true })).toBe('secret text');
    expect(await succeed('file.read', { path: 'none', missing_ok: true })).toBe('');
  });
});

describe('file.stat', () => {
  it('reports kind, size and mode', async () => {
    await put('a', 'abc');
    await chmod(fixture.path('a'), 0o640);

    const info = JSON.parse(await succeed('file.stat', { path: 'a', format: 'json' })) as unknown;
    expect(info).toMatchObject({ path: fixture.path('a'), exists: true, kind: 'file', size: 3, mode: '0640' });
    expect(await succeed('file.stat', { path: 'a' })).toContain('kind: file\nsize: 3\n');
  });

  it('fails for a missing path unless missing_ok is set', async () => {
    expect(await readError('file.stat', { path: 'none' })).toContain('was not found');
    expect(await succeed('file.stat', { path: 'none', missing_ok: true })).toContain('exists: false');
  });
});

describe('file.list', () => {
  it('lists names, by pattern, and with the contents of folders', async () => {
    await put('in/b.txt');
    await put('in/a.txt');
    await put('in/sub/c.txt');
    await put('in/sub/d.csv');

    expect(await succeed('file.list', { path: 'in' })).toBe('a.txt\nb.txt\n');
    expect(await succeed('file.list', { path: 'in', include_dirs: true })).toBe('a.txt\nb.txt\nsub\n');
    expect(await succeed('file.list', { path: 'in', recursive: true, pattern: '*.txt' })).toBe(
      'a.txt\nb.txt\nsub/c.txt\n',
    );
    const found = JSON.parse(await succeed('file.list', { path: 'in', pattern: 'a*', format: 'json' })) as unknown;
    expect(found).toMatchObject([{ path: 'a.txt', kind: 'file', size: 8 }]);
  });

  it('does not follow links in circles', async () => {
    await put('in/a');
    await symlink(fixture.path('in'), fixture.path('in/loop'));

    expect(await succeed('file.list', { path: 'in', recursive: true, follow_symlinks: true })).toBe('a\n');
  });

  it('fails for a missing path unless missing_ok is set', async () => {
    expect(await readError('file.list', { path: 'none' })).toContain('was not found');
    expect(await succeed('file.list', { path: 'none', missing_ok: true, format: 'json' })).toBe('[]\n');
  });
});

describe('file.mkdir', () => {
  it('creates a folder, and its parents when asked to', async () => {
    await succeed('file.mkdir', { path: 'a', mode: '700' });

    expect(await readMode('a')).toBe('700');
    expect(await readError('file.mkdir', { path: 'a' })).toContain('already exists');
    expect(await readError('file.mkdir', { path: 'b/c' })).toContain('was not found');
    await succeed('file.mkdir', { path: 'b/c', create_dirs: true });
    await succeed('file.mkdir', { path: 'b/c', recursive: true });
  });
});

describe('file.delete', () => {
  it('deletes a file, and a folder only with recursive', async () => {
    await put('a');
    await put('in/b');

    await succeed('file.delete', { path: 'a' });
    expect(await readError('file.delete', { path: 'in' })).toContain('recursive');
    expect(await succeed('file.delete', { path: 'in', recursive: true, dry_run: true })).toContain('would delete');
    await succeed('file.delete', { path: 'in', recursive: true });
    expect(await readdir(fixture.folder)).toEqual(['logs']);
  });

  it('deletes the files that match a pattern', async () => {
    for (const name of ['in/a.tmp', 'in/b.tmp', 'in/c.txt', 'in/d.tmp/e']) await put(name);

    await succeed('file.delete', { path: 'in', pattern: '*.tmp' });
    expect((await readdir(fixture.path('in'))).sort()).toEqual(['c.txt', 'd.tmp']);
  });

  it('deletes a link and not its target', async () => {
    await put('in/a');
    await symlink(fixture.path('in'), fixture.path('link'));

    await succeed('file.delete', { path: 'link', recursive: true });
    expect(await readContent('in/a')).toBe('in/a');
  });

  it.each(['/', '.', '..'])('refuses to delete %s, which holds the working folder', async (path) => {
    expect(await readError('file.delete', { path, recursive: true, dry_run: true })).toContain('working folder');
  });

  it('fails for a missing path unless missing_ok is set', async () => {
    expect(await readError('file.delete', { path: 'none' })).toContain('was not found');
    await succeed('file.delete', { path: 'none', missing_ok: true });
  });
});

describe('file.copy and file.move', () => {
  it.each([[{}], [{ atomic: true }]])('copies a file (%j)', async (more) => {
    await put('a', 'new');
    await put('b', 'old');

    expect(await readError('file.copy', { source: 'a', destination: 'b', ...more })).toContain('already exists');
    await succeed('file.copy', { source: 'a', destination: 'b', overwrite: true, mode: '600', ...more });
    expect(await readContent('b')).toBe('new');
    expect(await readContent('a')).toBe('new');
    expect(await readMode('b')).toBe('600');
    expect((await readdir(fixture.folder)).sort()).toEqual(['a', 'b', 'logs']);
  });

  it('copies folders only with recursive, links as links', async () => {
    await put('in/sub/a');
    await symlink('sub/a', fixture.path('in/link'));

    expect(await readError('file.copy', { source: 'in', destination: 'out' })).toContain('recursive');
    await succeed('file.copy', { source: 'in', destination: 'deep/out', recursive: true, create_dirs: true });
    expect(await readContent('deep/out/sub/a')).toBe('in/sub/a');
    expect(await readlink(fixture.path('deep/out/link'))).toBe('sub/a');
  });

  it('moves a file or folder', async () => {
    await put('in/a');

    await succeed('file.move', { source: 'in', destination: 'out' });
    expect(await readContent('out/a')).toBe('in/a');
    expect(await readContent('in/a')).toBeUndefined();
  });

  it('does not copy a device', async () => {
    const error = await readError('file.copy', { source: '/dev/null', destination: 'a' });
    expect(error).toBe('source is neither a file, a folder nor a link.');
    expect(await readContent('a')).toBeUndefined();
  });

  it('refuses moves that would lose data', async () => {
    await put('in/a');
    await put('b');

    const move = (source: string, destination: string) =>
      readError('file.move', { source, destination, overwrite: true });
    expect(await move('in', 'in/deeper')).toBe('destination is inside of source.');
    expect(await move('b', './b')).toBe('source and destination are the same.');
    expect(await move('b', 'in')).toContain('is a folder and the other is not');
    expect(await move('none', 'c')).toContain('source was not found');
    await succeed('file.move', { source: 'none', destination: 'c', missing_ok: true });
  });
});
