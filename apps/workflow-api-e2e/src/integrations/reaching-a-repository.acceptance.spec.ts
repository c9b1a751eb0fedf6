import { createHmac } from 'node:crypto';
import { describeUnless, missingSshd, startGitHost, startSshHost, waitFor, type SshHost } from '@weir/test-kit';
import { createSyncedServer, on, read, spec, write, type SyncedServer } from '../support/synced-server';
import { startWeir } from '../support/weir-server';

const token = 'ghp_token-of-the-repository';
const hookSecret = 'secret-of-the-push-hook';

let server: SyncedServer;

beforeAll(async () => {
  server = await createSyncedServer(await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true' } }));
}, 60_000);
afterAll(() => server.dispose());

const publishes = async (name: string) => {
  write(server.dagFile(name), spec(name));
  return server.send(on(name, 'publish'));
};
const pulled = (name: string) =>
  waitFor(
    () => {
      try {
        return read(server.dagFile(name));
      } catch {
        return undefined;
      }
    },
    { what: `${name} to be pulled` },
  );

describe('a repository over HTTP', () => {
  const useHost = async (options: object, use: (url: string, credentials: readonly string[]) => Promise<void>) => {
    const root = server.repository.root;
    const host = await startGitHost({ root, user: 'x-access-token', password: token, ...options });
    try {
      await use(host.url('dags.git'), host.credentials);
    } finally {
      await host.close();
      await server.configure({ repository: server.repository.bare, auth: { type: 'token', token: '' } });
    }
  };

  it('is pulled from and published to with a token that is neither shown nor kept', async () => {
    await useHost({}, async (repository) => {
      await server.configure({ repository, auth: { type: 'token', token } });
      await server.synced('by-http');
      const published = await publishes('back-by-http');
      const shown = JSON.stringify([(await server.send('GET /sync/config')).body, server.weir.process.stdout()]);

      expect(published).toMatchObject({ status: 200, body: { synced: ['back-by-http'] } });
      expect(server.repository.has('back-by-http.yaml')).toBe(true);
      expect(shown).not.toContain(token);
    });
  });

  it('is accessible with a stored secret', async () => {
    const value = { ref: 'git/token', providerType: 'dagu-managed', value: token };
    await server.send('POST /secrets', { token: server.admin, body: value });
    await useHost({}, async (repository) => {
      await server.configure({ repository, auth: { type: 'token', token: '', secretRef: 'git/token' } });
      expect((await server.send('POST /sync/test-connection')).body).toMatchObject({ success: true });
      await server.configure({ auth: { type: 'token', secretRef: 'git/nothing' } });
      expect((await server.pull()).body).toMatchObject({ reason: 'sync_credential_unreadable' });
    });
  });

  it('is not accessible with a wrong token, which the error does not name', async () => {
    await useHost({}, async (repository) => {
      await server.configure({ repository, auth: { type: 'token', token: 'wrong-token' } });
      const { status, body } = await server.pull();

      expect(status).toBe(502);
      expect(body.message).toContain('Authentication failed');
      expect(JSON.stringify(body)).not.toContain('wrong-token');
    });
  });

  it('does not pass its token on to another host after a redirection', async () => {
    await useHost({}, async (url, credentials) => {
      const redirectTo = new URL(url).origin.replace('127.0.0.1', 'localhost');
      await useHost({ redirectTo }, async (repository) => {
        await server.configure({ repository, auth: { type: 'token', token } });
        expect((await server.pull()).status).toBe(502);
      });
      expect(credentials).toEqual([]);
    });
  });
});

describeUnless(missingSshd(), 'nothing was synchronised over SSH')('a repository over SSH', () => {
  let host: SshHost;
  beforeAll(async () => {
    host = await startSshHost();
  }, 90_000);
  afterAll(async () => {
    await host.stop();
    await server.configure({ repository: server.repository.bare, auth: { type: 'token' } });
  });

  const configure = (auth: object) =>
    server.configure({
      repository: `ssh://${host.user}@127.0.0.1:${host.port}${server.repository.bare}`,
      auth: { type: 'ssh', knownHosts: read(host.file('known_hosts')), ...auth },
    });

  it('is pulled from and published to with a stored key', async () => {
    expect((await configure({ sshKey: read(host.file('client_key')) })).body).toMatchObject({
      auth: { hasSshKey: true },
    });
    await server.synced('by-ssh');

    expect((await publishes('back-by-ssh')).status).toBe(200);
    expect(server.repository.has('back-by-ssh.yaml')).toBe(true);
  });

  it('is accessible with a key in a file that a passphrase protects', async () => {
    const sshKeyPath = host.file('locked_key');
    await configure({ sshKey: '', sshKeyPath, sshPassphrase: 'correct horse' });
    expect((await server.send('POST /sync/test-connection')).body).toMatchObject({ success: true });
    await configure({ sshKeyPath, sshPassphrase: 'wrong' });
    expect((await server.send('POST /sync/test-connection')).body).toMatchObject({ success: false });
  });

  it.each(['nobody', 'changed'])('is not accessible if the host is unknown (%s)', async (name) => {
    await configure({ sshKey: read(host.file('client_key')), knownHosts: read(host.file(name)) });
    expect((await server.pull()).status).toBe(502);
  });
});

describe('POST /sync/webhook', () => {
  const body = '{"ref":"refs/heads/main"}';
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const call = (headers: Readonly<Record<string, string>>) =>
    server.weir.request('POST', '/sync/webhook', {
      rawBody: body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('returns 202 to GitHub and GitLab, and the server pulls', async () => {
    await server.configure({ webhookSecret: hookSecret });
    server.repository.push({ 'by-github.yaml': spec('github') });
    expect((await call({ 'x-hub-signature-256': sign(hookSecret) })).status).toBe(202);
    expect(await pulled('by-github')).toBe(spec('github'));
    server.repository.push({ 'by-gitlab.yaml': spec('gitlab') });
    expect((await call({ 'x-gitlab-token': hookSecret })).status).toBe(202);
    expect(await pulled('by-gitlab')).toBe(spec('gitlab'));
  });

  it('returns 401 without the right signature, and without a secret', async () => {
    await server.configure({ webhookSecret: hookSecret });
    const wrong = [{}, { 'x-hub-signature-256': sign('another') }, { 'x-gitlab-token': 'another' }];
    for (const headers of wrong) expect((await call(headers)).status).toBe(401);
    await server.configure({ webhookSecret: '' });
    expect((await call({ 'x-hub-signature-256': sign('') })).status).toBe(401);
    expect((await call({ 'x-gitlab-token': '' })).status).toBe(401);
  });

  it('returns 503 while Git sync is off', async () => {
    await server.configure({ webhookSecret: hookSecret, enabled: false });
    const { status } = await call({ 'x-hub-signature-256': sign(hookSecret) });
    await server.configure({ enabled: true });
    expect(status).toBe(503);
  });
});

describe('a machine without git', () => {
  it('reports that git is missing', async () => {
    const weir = await startWeir({ env: { WEIR_SKIP_EXAMPLES: 'true', PATH: '/nowhere' } });
    const without = await createSyncedServer(weir);
    const [pull, tested] = [await without.pull(), await without.send('POST /sync/test-connection')];
    await without.dispose();

    expect(pull).toMatchObject({ status: 503, body: { reason: 'git_missing' } });
    expect(tested.body).toMatchObject({ success: false, error: 'There is no git program on this machine.' });
  });
});
