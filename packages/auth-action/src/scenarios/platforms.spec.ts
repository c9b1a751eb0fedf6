import { createTestAuthority, startConnectProxy, type ConnectProxy } from '@weir/fake-cloud';
import type { Inputs } from './testing/run-in-process';
import { runJob, type Job, type JobEnd } from './testing/run-job';

const access = { token_format: 'access_token' };

function expectGreen(end: JobEnd): void {
  expect({ errors: end.errors, leaked: end.leaked, leftovers: end.leftovers }).toEqual({
    errors: [],
    leaked: [],
    leftovers: [],
  });
  expect(end.outcome).toBe('success');
}

describe('through a proxy, to the real hosts', () => {
  const authority = createTestAuthority();
  let proxy: ConnectProxy | undefined;
  afterEach(() => proxy?.stop());
  afterAll(() => authority.remove());

  type Variables = Readonly<Record<string, string>>;
  const play = (
    inputs: Inputs,
    more: Job['cloud'] = {},
    env: Variables | ((started: ConnectProxy) => Variables) = {},
  ) =>
    runJob({
      with: (fake) => ({
        workload_identity_provider: fake.provider,
        service_account: fake.account.email,
        ...inputs,
      }),
      cloud: { authority, ...more },
      around: async (fake) => {
        proxy = await startConnectProxy({
          route: fake.route,
          ca: authority,
          credentials: { user: 'a@b', password: 'p:/wörd' },
        });
        return { ...proxy.env, ...(typeof env === 'function' ? env(proxy) : env) };
      },
    });

  it('authenticates and revokes, and requests the OIDC token on loopback directly', async () => {
    const inputs = { ...access, access_token_subject: 'user@example.com', revoke_access_token: 'true' };
    const end = await play(inputs);

    expectGreen(end);
    expect(end.requests.map(({ host }) => host)).toEqual([
      '127.0.0.1',
      'sts.googleapis.com',
      'iamcredentials.googleapis.com',
      'oauth2.googleapis.com',
      'oauth2.googleapis.com',
    ]);
    expect(end.posts[0]?.log).toContain('The access token was revoked.');
    expect(proxy?.unauthorizedCount()).toBe(0);
    expect(end.log).not.toContain('p:/w');
  });

  it('authenticates in another universe', async () => {
    const end = await play({ ...access, universe: 'cloud.example' }, { universe: 'cloud.example' });

    expectGreen(end);
    expect(end.requests.map(({ host }) => host).slice(1)).toEqual([
      'sts.cloud.example',
      'iamcredentials.cloud.example',
    ]);
  });

  it('bypasses the proxy for hosts in NO_PROXY', async () => {
    // The name exists nowhere, so that no real host is called.
    const universe = 'cloud.invalid';
    const inputs = { ...access, universe, timeout: '20s' };

    const end = await play(inputs, { universe }, { NO_PROXY: `iamcredentials.${universe}` });

    expect(end).toMatchObject({ outcome: 'failure', leaked: [], leftovers: [] });
    expect(end.errors[0]).toContain(`iamcredentials.${universe}`);
    expect(proxy?.requests).toEqual([`sts.${universe}:443`]);
  });

  it('reports a proxy that rejects the credentials', async () => {
    const end = await play({}, {}, ({ url }) => ({
      HTTPS_PROXY: `http://a%40b:wrong-word@127.0.0.1:${new URL(url).port}`,
    }));

    expect(end).toMatchObject({ outcome: 'failure', leaked: [], leftovers: [] });
    expect(end.errors[0]).toContain('407');
    expect(end.log).not.toContain('wrong-word');
    expect(proxy?.unauthorizedCount()).toBe(1);
  });

  it('reports an untrusted certificate', async () => {
    const end = await play({}, {}, { NODE_EXTRA_CA_CERTS: '' });

    expect(end).toMatchObject({ outcome: 'failure', leaked: [], leftovers: [] });
    expect(end.errors[0]).toContain('NODE_EXTRA_CA_CERTS');
  });
});
