import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { describeUnless, missingSshd, startSshHost, waitFor, type SshHost } from '@weir/test-kit';
import { startGitHost, type GitHost, type GitHostOptions } from '@weir/test-kit';
import { published, useRepository } from './testing/use-repository';

const password = 'correct "horse" $battery';

const repo = useRepository();
const { git, call, failure, read } = repo;

describe('a repository over HTTP', () => {
  let host: GitHost;
  const start = async (options: Partial<GitHostOptions> = {}) => {
    host = await startGitHost({ root: repo.fixture.path('repositories'), user: 'ada', password, ...options });
    return host;
  };
  afterEach(() => host.close());

  it('is cloned and pushed to with a password that is neither shown nor kept', async () => {
    const { url } = await start();
    git(repo.bare, 'config', 'http.receivepack', 'true');
    const settings = { username: 'ada', password };
    const cloned = await call('git.clone', { repository: url('app.git'), path: 'src', ...settings });
    writeFileSync(repo.fixture.path('src/new'), 'x');
    await call('git.commit', { path: 'src', message: 'new', author_name: 'Ada', author_email: 'a@x.test' });
    const pushed = await call('git.push', { path: 'src', ...settings });

    expect(git(repo.bare, 'rev-parse', 'main')).toBe(published(pushed).commit);
    const shown = `${cloned.stdout}${cloned.stderr}${pushed.stdout}${pushed.stderr}${read('src/.git/config')}`;
    expect(shown).not.toContain('horse');
    expect(existsSync(repo.fixture.path('home/.git-credentials'))).toBe(false);
  });

  it('fails with a wrong token', async () => {
    const { url } = await start();
    const outcome = await failure('git.clone', { repository: url('app.git'), path: 'src', token: 'hunter2' });

    expect(outcome.error).toContain('Authentication failed');
    expect(outcome.error).not.toContain('hunter2');
    expect(host.credentials).toContain('x-access-token:hunter2');
  });

  it('does not pass the password on to another host after a redirection', async () => {
    const other = await start();
    host = await startGitHost({ root: '/', user: '', password: '', redirectTo: `http://localhost:${other.port}` });
    const outcome = await failure('git.clone', {
      repository: host.url('app.git'),
      path: 'src',
      username: 'ada',
      password,
    });
    const { credentials } = other;
    await other.close();

    expect(outcome.status).toBe('failed');
    expect(credentials).toEqual([]);
  });

  it('is given up on after the timeout, and after a stop', async () => {
    const { url } = await start({ isSilent: true });
    const settings = { repository: url('app.git'), path: 'src' };
    expect(await failure('git.clone', { ...settings, timeout: '200ms' })).toMatchObject({
      error: 'There was no end within 0.2 seconds.',
    });
    expect(readdirSync(repo.fixture.path('src'))).toEqual([]);
    const stop = new AbortController();
    const running = repo.fixture.run('git.clone', settings, { signal: stop.signal });
    await waitFor(() => existsSync(repo.fixture.path('src/.git/config')) || undefined, { what: 'git to start' });
    stop.abort();
    expect((await running).outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
    expect(readdirSync(repo.fixture.path('src'))).toEqual([]);
  });

  it('is required for a token, which a path does not accept', async () => {
    await start();
    expect((await failure('git.clone', { repository: repo.bare, path: 'src', token: 't' })).error).toContain(
      'token and password are for repositories with an http or https URL.',
    );
  });
});

describeUnless(missingSshd(), 'nothing was cloned over SSH')('a repository over SSH', () => {
  let host: SshHost;
  beforeAll(async () => {
    host = await startSshHost();
  }, 90_000);
  afterAll(() => host.stop());

  const settings = () => ({
    repository: `ssh://${host.user}@127.0.0.1:${host.port}${repo.bare}`,
    path: 'src',
    ssh_key_path: host.file('client_key'),
    known_host_file: host.file('known_hosts'),
  });

  it('is cloned with a key', async () => {
    await call('git.clone', settings());
    expect(read('src/a.txt')).toBe('two');
  });

  it('is cloned with a key that a passphrase protects', async () => {
    const locked = { ...settings(), ssh_key_path: host.file('locked_key') };
    await call('git.clone', { ...locked, ssh_passphrase: 'correct horse' });
    expect(read('src/a.txt')).toBe('two');
    expect((await failure('git.clone', { ...locked, path: 'b', ssh_passphrase: 'wrong' })).error).toContain(
      'Could not read from remote repository',
    );
  });

  it.each(['nobody', 'changed'])('is not cloned from an unknown host (%s)', async (name) => {
    const outcome = await failure('git.clone', { ...settings(), known_host_file: host.file(name) });

    expect(outcome.status).toBe('failed');
    expect(existsSync(repo.fixture.path('src/a.txt'))).toBe(false);
  });

  it('is cloned from any host if the step allows it', async () => {
    await call('git.clone', { ...settings(), known_host_file: host.file('nobody'), strict_host_key: false });
    expect(read('src/a.txt')).toBe('two');
  });
});
