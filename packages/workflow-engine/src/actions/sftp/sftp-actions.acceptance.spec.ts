import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import {
  describeUnless,
  missingSshd,
  startSshHost,
  temporaryFolder,
  type SshHost,
  waitFor,
  type TemporaryFolder,
} from '@weir/test-kit';
import { actionFixture, type ActionFixture, type Ran } from '../testing/action-fixture';

describeUnless(missingSshd(), 'no file was copied to another host')('sftp.*', () => {
  let host: SshHost;
  let fixture: ActionFixture;
  let remote: TemporaryFolder;

  beforeAll(async () => {
    host = await startSshHost();
  }, 90_000);
  afterAll(() => host.stop());
  beforeEach(async () => {
    fixture = await actionFixture();
    remote = temporaryFolder();
  });
  afterEach(async () => {
    await fixture.remove();
    await remote.remove();
  });

  const settingsOf = (settings: JsonObject): JsonObject => ({
    host: '127.0.0.1',
    port: host.port,
    user: host.user,
    key: host.file('client_key'),
    known_host_file: host.file('known_hosts'),
    ...settings,
  });

  async function call(action: ExecutableActionName, settings: JsonObject): Promise<Ran> {
    const ran = await fixture.run(action, settingsOf(settings));
    if (ran.outcome.status !== 'succeeded') throw new Error(`${ran.outcome.error ?? ''} ${ran.stderr}`);
    return ran;
  }

  const failure = async (action: ExecutableActionName, settings: JsonObject) =>
    (await fixture.run(action, settingsOf(settings))).outcome.error;
  const published = ({ outcome }: Ran) =>
    Object.fromEntries((outcome.outputs?.declared ?? []).map(({ name, value }) => [name, value]));

  it('copies a file to the server and back, with its permissions', async () => {
    writeFileSync(fixture.path('a.txt'), 'one');
    chmodSync(fixture.path('a.txt'), 0o640);
    const sent = await call('sftp.upload', { source: 'a.txt', destination: remote.file('b.txt') });

    expect(published(sent)).toEqual({ files: 1, bytes: 3 });
    expect(readFileSync(remote.file('b.txt'), 'utf8')).toBe('one');
    expect(statSync(remote.file('b.txt')).mode & 0o777).toBe(0o640);
    await call('sftp.download', { source: remote.file('b.txt'), destination: 'new/c.txt', mode: '600' });
    expect(readFileSync(fixture.path('new/c.txt'), 'utf8')).toBe('one');
    expect(statSync(fixture.path('new/c.txt')).mode & 0o777).toBe(0o600);
  });

  it('replaces files, unless the step forbids it', async () => {
    writeFileSync(fixture.path('a.txt'), 'new');
    writeFileSync(remote.file('a.txt'), 'old');

    expect(await failure('sftp.upload', { source: 'a.txt', destination: remote.file('a.txt'), overwrite: false })).toBe(
      'destination already exists on the host.',
    );
    expect(
      await failure('sftp.download', { source: remote.file('a.txt'), destination: 'a.txt', overwrite: false }),
    ).toBe('destination already exists (EEXIST).');
    await call('sftp.upload', { source: 'a.txt', destination: remote.file('a.txt') });
    expect(readFileSync(remote.file('a.txt'), 'utf8')).toBe('new');
    expect(readdirSync(remote.path)).toEqual(['a.txt']);
  });

  it('copies folders without following links', async () => {
    mkdirSync(fixture.path('tree/deep'), { recursive: true });
    writeFileSync(fixture.path('tree/deep/a'), 'a');
    writeFileSync(fixture.path('tree/b'), 'bb');
    symlinkSync('/etc/passwd', fixture.path('tree/link'));
    const sent = await call('sftp.upload', { source: 'tree', destination: remote.file('tree'), recursive: true });

    expect(published(sent)).toEqual({ files: 2, bytes: 3 });
    expect(sent.stderr).toContain('left out, since it is no file: link');
    symlinkSync('/etc/passwd', remote.file('tree/other'));
    const got = await call('sftp.download', { source: remote.file('tree'), destination: 'copy', recursive: true });
    expect(published(got)).toEqual({ files: 2, bytes: 3 });
    expect(readdirSync(fixture.path('copy')).sort()).toEqual(['b', 'deep']);
    expect(readFileSync(fixture.path('copy/deep/a'), 'utf8')).toBe('a');
  });

  it('lists and deletes', async () => {
    mkdirSync(remote.file('deep'));
    for (const name of ['a.log', 'b.txt', 'deep/c.log']) writeFileSync(remote.file(name), name);
    expect((await call('sftp.list', { path: remote.path })).stdout).toBe('a.log\nb.txt\ndeep\n');
    const json = await call('sftp.list', {
      path: remote.path,
      pattern: '*.log',
      recursive: true,
      output_format: 'json',
    });
    expect(JSON.parse(json.stdout)).toEqual([
      expect.objectContaining({ path: 'a.log', kind: 'file', size: 5 }),
      expect.objectContaining({ path: 'deep/c.log' }),
    ]);

    expect(await failure('sftp.delete', { path: remote.file('deep') })).toContain('only deleted with recursive');
    expect(published(await call('sftp.delete', { path: remote.file('deep'), recursive: true }))).toEqual({
      deleted: 2,
    });
    expect(published(await call('sftp.delete', { path: remote.file('a.log') }))).toEqual({ deleted: 1 });
    expect(published(await call('sftp.delete', { path: remote.file('a.log'), missing_ok: true }))).toEqual({
      deleted: 0,
    });
    expect(readdirSync(remote.path)).toEqual(['b.txt']);
  });

  it.each(['.', '~', '/', '..'])('does not delete %s', async (path) => {
    expect(await failure('sftp.delete', { path, recursive: true })).toBe(
      'path is the home, or a folder above everything.',
    );
  });

  it('leaves no part of a file that is too large', async () => {
    writeFileSync(remote.file('ten'), '0123456789');
    mkdirSync(fixture.path('to'));

    expect(await failure('sftp.download', { source: remote.file('ten'), destination: 'to/ten', max_bytes: 9 })).toBe(
      'The rest of source is larger than 9 bytes.',
    );
    expect(readdirSync(fixture.path('to'))).toEqual([]);
  });

  it.each<[string, ExecutableActionName, JsonObject, string]>([
    ['a file here', 'sftp.upload', { source: 'nothing', destination: 'x' }, 'source was not found (ENOENT).'],
    ['a file there', 'sftp.download', { source: '/nowhere/x', destination: 'x' }, 'source was not found on the host.'],
    ['a folder there', 'sftp.list', { path: '/nowhere' }, 'path was not found on the host.'],
  ])('fails without %s', async (_, action, settings, error) => {
    expect(await failure(action, settings)).toBe(error);
  });

  it('fails for an unknown host, or one with another key', async () => {
    expect(await failure('sftp.list', { path: '.', known_host_file: host.file('nobody') })).toContain('not known');
    expect(await failure('sftp.list', { path: '.', known_host_file: host.file('changed') })).toContain('another key');
    expect(await failure('sftp.list', { path: '.', key: host.file('strange_key') })).toContain(
      'rejected the credentials',
    );
  });

  it('is ended by a stop, and leaves no part on the server', async () => {
    writeFileSync(fixture.path('large'), Buffer.alloc(200 * 1_048_576));
    const stop = new AbortController();
    const settings = settingsOf({ source: 'large', destination: remote.file('large') });
    const running = fixture.run('sftp.upload', settings, { signal: stop.signal });
    await waitFor(() => readdirSync(remote.path).length > 0 || undefined, { what: 'the copy to begin', intervalMs: 1 });
    stop.abort();

    expect((await running).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
    expect(readdirSync(remote.path)).toEqual([]);
  }, 60_000);
});
