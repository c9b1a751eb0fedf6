import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { startFakeCloud, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { byKey, direct, federated, postAfter, runInProcess, type Inputs } from './testing/run-in-process';

const registry = 'europe-docker.pkg.dev';
const registries = { docker_registries: `${registry}, gcr.io` };

describe('docker_registries', () => {
  let fake: FakeCloud;
  let folder: TemporaryFolder;
  beforeEach(async () => {
    fake = await startFakeCloud();
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await fake.stop();
    await folder.remove();
  });

  const file = () => folder.file('config.json');
  const read = (): unknown => JSON.parse(readFileSync(file(), 'utf8'));
  const run = (inputs: Inputs, options: Partial<Parameters<typeof runInProcess>[1]> = {}) =>
    runInProcess(fake, { inputs, ...options, env: { DOCKER_CONFIG: folder.path, ...options.env } });
  const findToken = (host: string) => {
    const { auths } = read() as { readonly auths: Readonly<Record<string, { readonly auth: string }>> };
    const [user, ...token] = Buffer.from(auths[host]?.auth ?? '', 'base64')
      .toString('utf8')
      .split(':');
    return { user, issued: fake.tokens.all().find(({ secret }) => secret === token.join(':')) };
  };

  it('signs Docker in as the account, and out at the end', async () => {
    const end = await run(federated(fake, registries));

    expect(end.error).toBeUndefined();
    for (const host of [registry, 'gcr.io']) {
      expect(findToken(host)).toMatchObject({
        user: 'oauth2accesstoken',
        issued: { kind: 'access token', principal: fake.account.email },
      });
    }
    expect(end.lines).toContain('info Docker is signed in to europe-docker.pkg.dev, gcr.io.');
    expect(fake.tokens.leaks(JSON.stringify(end.state) + end.lines.join())).toEqual([]);
    expect(await postAfter(end)).toContain('Docker is signed out.\n');
    expect(existsSync(file())).toBe(false);
  });

  it.each<[string, () => Inputs, object]>([
    ['direct federation', () => direct(fake, registries), { kind: 'federated token' }],
    ['a key', () => byKey(fake, registries), { kind: 'access token' }],
    [
      'a key with another account',
      () => byKey(fake, { ...registries, service_account: 'middle@example-project.iam.gserviceaccount.com' }),
      { principal: 'middle@example-project.iam.gserviceaccount.com' },
    ],
    [
      'the token output',
      () => federated(fake, { ...registries, token_format: 'access_token' }),
      { name: '<access token 1>' },
    ],
    [
      'another token than the output, which has fewer scopes',
      () => federated(fake, { ...registries, token_format: 'access_token', access_token_scopes: 'openid' }),
      { name: '<access token 2>' },
    ],
  ])('uses %s', async (_, inputs, token) => {
    const end = await run(inputs());

    expect(end.error).toBeUndefined();
    expect(findToken(registry).issued).toMatchObject(token);
  });

  it('keeps other entries, and makes Docker read the file despite helpers', async () => {
    const before = {
      auths: { 'ghcr.io': { auth: 'x' }, 'gcr.io': { auth: 'b2xkOnB3' } },
      credsStore: 'desktop',
      credHelpers: { [registry]: 'gcloud', 'other.io': 'x' },
    };
    writeFileSync(file(), JSON.stringify(before));
    const end = await run(federated(fake, { docker_registries: registry }));

    expect(read()).toMatchObject({
      auths: { 'ghcr.io': { auth: 'x' } },
      credsStore: 'desktop',
      credHelpers: { [registry]: '', 'other.io': 'x' },
    });
    await postAfter(end);
    expect(read()).toEqual(before);
  });

  it('removes the empty helper of a store, and leaves sign-ins of others', async () => {
    writeFileSync(file(), JSON.stringify({ credsStore: 'desktop' }));
    const end = await run(federated(fake, registries));
    const now = read() as { readonly auths: object };
    writeFileSync(
      file(),
      JSON.stringify({ ...now, auths: { ...now.auths, 'gcr.io': { auth: 'b3RoZXI6cHc=' }, a: {} } }),
    );
    await postAfter(end);

    expect(read()).toEqual({ credsStore: 'desktop', auths: { 'gcr.io': { auth: 'b3RoZXI6cHc=' }, a: {} } });
  });

  it.each([
    ['is not JSON', () => writeFileSync(file(), '[]'), 'it is not a JSON object'],
    ['is a folder', () => mkdirSync(file()), 'is not a regular file'],
  ])('fails if the configuration %s, and leaves no credentials', async (_, prepare, message) => {
    prepare();
    const end = await run(federated(fake, registries));

    expect(end).toMatchObject({ error: { reason: 'docker_config_failed' }, outputs: {}, env: {}, files: [] });
    expect(end.error?.message).toContain(message);
  });

  it('signs out if a later part of the step fails', async () => {
    const exportVariable = (): never => {
      throw new Error('ENOSPC');
    };
    await expect(run(federated(fake, registries), { runtime: { exportVariable } })).rejects.toThrow('ENOSPC');

    expect(existsSync(file())).toBe(false);
  });

  it('uses the home folder without DOCKER_CONFIG', async () => {
    await run(direct(fake, registries), { env: { DOCKER_CONFIG: '', HOME: folder.path } });

    expect(existsSync(folder.file('.docker', 'config.json'))).toBe(true);
    const none = { DOCKER_CONFIG: '', HOME: undefined };
    expect((await run(direct(fake, registries), { env: none })).error?.message).toContain('nor HOME is set');
  });

  it('reports what cannot be undone', async () => {
    const end = await run(direct(fake, registries));
    writeFileSync(file(), 'x');

    expect(await postAfter(end)).toContain('::warning::Docker was not signed out in ');
    const invalid = [
      'x',
      '{"file":"/a/config.json","added":[1]}',
      '{}',
      '{"file":"/etc/passwd","added":[]}',
      '{"file":"/a/config.json","added":[{"host":1}]}',
    ];
    for (const state of invalid) {
      expect(await postAfter({ ...end, state: { weir_docker: state } })).toContain('so nothing was cleaned up');
    }
  });

  it('refuses hosts that are not registries of Google Cloud', async () => {
    for (const host of ['ghcr.io', 'https://gcr.io', 'gcr.io/project', '"gcr.io"']) {
      const { error } = await run(federated(fake, { docker_registries: host }));
      expect(error?.reason).toMatch(/^(?:registry_invalid|text_quoted)$/);
    }
  });
});
