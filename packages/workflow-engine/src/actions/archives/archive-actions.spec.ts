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

const readContent = (name: string) => readFile(fixture.path(name), 'utf8');

async function succeed(action: ExecutableActionName, settings: JsonObject): Promise<string> {
  const { outcome, stdout, stderr } = await fixture.run(action, settings);
  if (outcome.status !== 'succeeded') throw new Error(`${outcome.error ?? ''}\n${stderr}`);
  return stdout;
}

async function readError(action: ExecutableActionName, settings: JsonObject): Promise<string | undefined> {
  const { outcome } = await fixture.run(action, settings);
  expect(outcome.status).toBe('failed');
  return outcome.error;
}

/** An archive that another program wrote, which may hold what ours refuses to write. */
function pythonArchive(script: string): void {
  execFileSync('python3', ['-c', `import io, tarfile, zipfile\n${script}`], { cwd: fixture.folder });
}

const formats = ['zip', 'tar', 'tar.gz', 'tar.zst'];

describe.each(formats)('an archive of format %s', (format) => {
  const destination = `out.${format}`;

  async function pack(more: JsonObject = {}): Promise<string> {
    await put('in/a.txt', 'first');
    await put('in/deep/b.sh', 'second'.repeat(10_000));
    await put('in/@c', 'third');
    await chmod(fixture.path('in/deep/b.sh'), 0o755);
    return succeed('archive.create', { source: 'in', destination, ...more });
  }

  it('is packed, listed and unpacked again, with contents and permissions', async () => {
    await pack();
    const listed = await succeed('archive.list', { source: destination });
    await succeed('archive.extract', { source: destination, destination: 'to' });

    expect(listed.trim().split('\n').sort()).toEqual(['@c', 'a.txt', 'deep', 'deep/b.sh']);
    expect(await readContent('to/a.txt')).toBe('first');
    expect(await readContent('to/deep/b.sh')).toBe('second'.repeat(10_000));
    expect((await stat(fixture.path('to/deep/b.sh'))).mode & 0o777).toBe(0o755);
  });

  it('keeps the selected entries, without leading folders', async () => {
    await pack({ exclude: 'a*' });
    await succeed('archive.extract', {
      source: destination,
      destination: 'to',
      include: ['deep'],
      strip_components: 1,
    });

    expect(await readdir(fixture.path('to'))).toEqual(['b.sh']);
  });

  it('replaces files only when asked to, and otherwise changes nothing', async () => {
    await pack();
    await put('to/deep/b.sh', 'old');

    expect(await readError('archive.create', { source: 'in', destination })).toContain('destination already exists');
    expect(await readError('archive.extract', { source: destination, destination: 'to' })).toBe(
      'destination already contains "deep/b.sh".',
    );
    expect(await readdir(fixture.path('to'))).toEqual(['deep']);
    await succeed('archive.extract', { source: destination, destination: 'to', overwrite: true });
    expect(await readContent('to/deep/b.sh')).toBe('second'.repeat(10_000));
  });

  it('refuses more bytes than allowed before it writes any', async () => {
    await pack();

    expect(await readError('archive.extract', { source: destination, destination: 'to', max_bytes: 1000 })).toBe(
      'The contents of the archive are larger than 1000 bytes.',
    );
    await expect(stat(fixture.path('to'))).rejects.toThrow('ENOENT');
  });

  it('only reports with dry_run', async () => {
    expect(await pack({ dry_run: true })).toContain('would pack deep/b.sh');
    await expect(stat(fixture.path(destination))).rejects.toThrow('ENOENT');
  });

  it('is refused when it is damaged', async () => {
    await pack();
    const whole = await readFile(fixture.path(destination));
    await writeFile(
      fixture.path(destination),
      Buffer.concat([whole.subarray(0, whole.length / 2), Buffer.alloc(600, 7)]),
    );

    expect(await readError('archive.extract', { source: destination, destination: 'to' })).toBe(
      `source is damaged, or is no ${format} archive.`,
    );
  });

  it('leaves no files behind when it is stopped', async () => {
    await put('in/a.txt', 'first');
    const { outcome } = await fixture.run(
      'archive.create',
      { source: 'in', destination },
      { signal: AbortSignal.abort() },
    );

    expect(outcome.status).toBe('aborted');
    expect(await readdir(fixture.folder)).toEqual(['in']);
  });

  it('publishes the number of entries and bytes', async () => {
    await put('in/a.txt', 'first');
    await fixture.run('archive.create', { source: 'in', destination });
    const { outcome } = await fixture.run('archive.extract', { source: destination, destination: 'to' });

    expect(outcome.outputs?.declared).toEqual([
      { name: 'entries', value: 1 },
      { name: 'bytes', value: 5 },
    ]);
  });
});

describe('archive.create', () => {
  it('packs a single file by its name, in a form that other programs read', async () => {
    await put('in/a.txt', 'first');
    await succeed('archive.create', { source: 'in/a.txt', destination: 'x/a.tgz', create_dirs: true });

    const text = execFileSync('tar', ['-xzOf', fixture.path('x/a.tgz'), 'a.txt'], { encoding: 'utf8' });
    expect(text).toBe('first');
  });

  it('keeps links in tar, and refuses them in zip', async () => {
    await put('in/a.txt', 'first');
    await symlink('a.txt', fixture.path('in/link'));
    await succeed('archive.create', { source: 'in', destination: 'a.tar' });
    await succeed('archive.extract', { source: 'a.tar', destination: 'to' });

    expect(await readlink(fixture.path('to/link'))).toBe('a.txt');
    expect(await readError('archive.create', { source: 'in', destination: 'a.zip' })).toBe(
      'source contains a link, which a zip archive cannot hold.',
    );
    expect((await readdir(fixture.folder)).sort()).toEqual(['a.tar', 'in', 'logs', 'to']);
  });

  it.each([
    ['a name without a known ending', { destination: 'a.rar' }, 'does not show the format'],
    ['a password for tar', { destination: 'a.tar', password: 'x' }, 'Only zip archives can have a password.'],
    ['nothing to pack', { destination: 'a.tar', include: 'b' }, 'source contains nothing to pack.'],
    ['a missing source', { source: 'no', destination: 'a.tar' }, 'source was not found (ENOENT).'],
  ])('fails on %s', async (_, settings, error) => {
    await put('in/a.txt');
    expect(await readError('archive.create', { source: 'in', ...settings })).toContain(error);
  });
});

describe('a zip archive with a password', () => {
  it('is opened by the same password only', async () => {
    await put('in/a.txt', 'first');
    await succeed('archive.create', { source: 'in', destination: 'a.zip', password: 'horse' });
    const extract = { source: 'a.zip', destination: 'to', overwrite: true };

    expect(await readError('archive.extract', extract)).toBe('The archive is encrypted, and there is no password.');
    expect(await readError('archive.extract', { ...extract, password: 'cow' })).toBe(
      'The archive has another password.',
    );
    await succeed('archive.extract', { ...extract, password: 'horse' });
    expect(await readContent('to/a.txt')).toBe('first');
    expect((await readFile(fixture.path('a.zip'))).includes('first')).toBe(false);
  });
});

describe('a hostile archive', () => {
  const leadsOut = 'The archive contains a path that leads out of the destination.';
  const tar = (fields: string) =>
    `t = tarfile.open('a.tar', 'w'); i = tarfile.TarInfo(${fields}; i.size = 0 if i.type != b'0' else 1\n` +
    `t.addfile(i, io.BytesIO(b'x')); t.close()`;

  it.each([
    ['a path upwards', tar(`'../x')`), 'a.tar', leadsOut],
    ['an absolute path', tar(`'/tmp/x')`), 'a.tar', leadsOut],
    ['a link upwards', tar(`'l'); i.type = b'2'; i.linkname = '../../etc'`), 'a.tar', leadsOut],
    ['a hard link to another file', tar(`'l'); i.type = b'1'; i.linkname = '/etc/passwd'`), 'a.tar', leadsOut],
    [
      'a device',
      tar(`'d'); i.type = b'3'`),
      'a.tar',
      'The archive contains something that is no file, folder or link.',
    ],
    ['a path upwards in zip', `zipfile.ZipFile('a.zip', 'w').writestr('../x', 'x')`, 'a.zip', undefined],
  ])('with %s is refused', async (_, script, source, error) => {
    pythonArchive(script);
    const found = await readError('archive.extract', { source, destination: 'to' });

    if (error !== undefined) expect(found).toBe(error);
    expect((await readdir(fixture.folder)).sort()).toEqual([source, 'logs']);
  });

  it.each(['a.tar', 'a.zip'])('does not write through an existing link (%s)', async (name) => {
    await put('in/deep/b.txt', 'new');
    await put('elsewhere/b.txt', 'old');
    await succeed('archive.create', { source: 'in', destination: name });
    await mkdir(fixture.path('to'));
    await symlink(fixture.path('elsewhere'), fixture.path('to/deep'));
    await fixture.run('archive.extract', { source: name, destination: 'to', overwrite: true });

    expect(await readContent('elsewhere/b.txt')).toBe('old');
  });
});
