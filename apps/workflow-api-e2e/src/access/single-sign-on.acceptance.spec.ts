import { writeFile } from 'node:fs/promises';
import { freePort, startIdentityProvider, temporaryFolder, type IdentityProvider } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { startWeir, type Weir } from '../support/weir-server';

const people = {
  grace: { preferred_username: 'grace', email: 'grace@example.com', email_verified: true, groups: ['shop-team'] },
  eve: { preferred_username: 'eve', email: 'eve@elsewhere.example', email_verified: true, groups: ['admins'] },
};

/** Of the second provider, whose roles an expression gives. */
const partners = {
  // The same subject as at the first one.
  grace: { preferred_username: 'grace-of-partners', department: 'ops' },
  joe: { preferred_username: 'joe', department: 'sales' },
  zoe: { preferred_username: 'zoe', department: 'broken' },
};

let weir: Weir;
let provider: IdentityProvider;
let other: IdentityProvider;
let port: number;
const folder = temporaryFolder();

const providersFile = () => `
- id: partners
  label: Sign in as a partner
  issuer: ${other.issuer}
  client_id: ${other.clientId}
  client_secret_file: secret
  role_expression: |
    if .department == "ops" then "operator@shop" elif .department == "broken" then error("no") else empty end
  default_role: none
`;

const settings = () => ({
  WEIR_SKIP_EXAMPLES: 'true',
  WEIR_PORT: String(port),
  WEIR_BASE_PATH: '/weir',
  WEIR_OIDC_ISSUER: provider.issuer,
  WEIR_OIDC_CLIENT_ID: provider.clientId,
  WEIR_OIDC_CLIENT_SECRET: provider.clientSecret,
  WEIR_OIDC_CLIENT_URL: `http://127.0.0.1:${port}`,
  WEIR_OIDC_ALLOWED_DOMAINS: 'example.com',
  WEIR_OIDC_GROUP_MAPPINGS: '{"admins": "admin", "shop-team": "developer@shop"}',
  WEIR_OIDC_PROVIDERS_FILE: folder.file('providers.yaml'),
});

beforeAll(async () => {
  port = await freePort();
  const address = `http://127.0.0.1:${port}/weir`;
  const signedOutUri = `${address}/`;
  provider = await startIdentityProvider({ people, redirectUri: `${address}/oidc-callback`, signedOutUri });
  other = await startIdentityProvider({
    people: partners,
    redirectUri: `${address}/oidc-callback/partners`,
    signedOutUri,
  });
  await writeFile(folder.file('secret'), other.clientSecret);
  await writeFile(folder.file('providers.yaml'), providersFile());
  weir = await startWeir({ env: settings() });
}, 60_000);
afterAll(async () => {
  await weir.dispose();
  await provider.stop();
  await other.stop();
  await folder.remove();
});

interface Visit {
  readonly address: string;
  readonly session: string;
}

/** Follows redirections as a browser does, and fills in the form of the provider. */
async function visit(subject: string, page = '/oidc-login'): Promise<Visit> {
  const cookies = new Map<string, string>();
  let session = '';
  let address = `http://127.0.0.1:${port}/weir${page}?return=%2Fdags`;
  let form: URLSearchParams | undefined;
  for (let hop = 0; hop < 15; hop += 1) {
    const answer = await fetch(address, {
      ...(form === undefined ? {} : { method: 'POST', body: form }),
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: AbortSignal.timeout(20_000),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
      if (name === 'weir_session') session = `${name}=${value}`;
    }
    form = undefined;
    const next = answer.headers.get('location');
    if (next !== null) address = new URL(next, address).href;
    else if (address.startsWith(provider.issuer) || address.startsWith(other.issuer)) {
      const action = /action="([^"]+)"/.exec(await answer.text())?.[1] ?? '';
      address = new URL(action, address).href;
      form = new URLSearchParams({ prompt: 'login', login: subject, password: 'any' });
    } else break;
    if (address.startsWith(`http://127.0.0.1:${port}`) && !address.includes('/oidc-')) break;
  }
  return { address: address.replace(`http://127.0.0.1:${port}`, ''), session };
}

it('waits for the first admin', async () => {
  await expect(visit('grace')).resolves.toEqual({ address: '/weir/dags?sign-in-failed=setup_needed', session: '' });
});

describe('with a first admin', () => {
  let admin: string;
  beforeAll(async () => {
    admin = await setUpAdmin(weir);
  });

  it("signs in at a certified provider, with the roles of the user's groups", async () => {
    const { address, session } = await visit('grace');
    const { body } = await weir.request('GET', '/auth/me', { headers: { cookie: session } });

    expect(address).toBe('/weir/dags');
    expect(body).toMatchObject({
      user: {
        username: 'grace',
        authProvider: 'oidc',
        role: 'viewer',
        workspaceAccess: { all: false, grants: [{ workspace: 'shop', role: 'developer' }] },
      },
    });
  });

  describe('of a second provider', () => {
    const login = '/oidc-login/partners';

    it('is another person than the same subject of the first, with the roles of the expression', async () => {
      const { address, session } = await visit('grace', login);
      const { body } = await weir.request('GET', '/auth/me', { headers: { cookie: session } });

      expect(address).toBe('/weir/dags');
      expect(body).toMatchObject({
        user: {
          username: 'grace-of-partners',
          role: 'viewer',
          workspaceAccess: { all: false, grants: [{ workspace: 'shop', role: 'operator' }] },
        },
      });
    });

    it.each([
      ['gives no role', 'joe', 'no_role'],
      ['fails', 'zoe', 'role_expression_failed'],
    ])('does not sign in where the expression %s', async (_, subject, reason) => {
      await expect(visit(subject, login)).resolves.toEqual({
        address: `/weir/dags?sign-in-failed=${reason}`,
        session: '',
      });
    });

    it('is sent there to sign out', async () => {
      const { session } = await visit('grace', login);
      const { body } = await weir.request('POST', '/auth/logout', { headers: { cookie: session } });
      const { signOutPath } = body as { readonly signOutPath: string };
      const answer = await fetch(`http://127.0.0.1:${port}/weir${signOutPath}`, { redirect: 'manual' });
      const sentTo = new URL(answer.headers.get('location') ?? '');

      expect(signOutPath).toBe('/oidc-logout/partners');
      expect(sentTo.origin).toBe(other.issuer);
      expect(Object.fromEntries(sentTo.searchParams)).toEqual({
        client_id: 'weir',
        post_logout_redirect_uri: `http://127.0.0.1:${port}/weir/`,
      });
    });
  });

  it('refuses a person whose address is not allowed, and creates no user', async () => {
    await expect(visit('eve')).resolves.toEqual({
      address: '/weir/dags?sign-in-failed=email_not_allowed',
      session: '',
    });
    const { body } = await weir.request('GET', '/users', { token: admin });
    expect(JSON.stringify(body)).not.toContain('"username":"eve');
  });

  interface Entry {
    readonly action: string;
    readonly result: string;
    readonly username: string;
  }

  it('records who signed in, who was created, and who was refused', async () => {
    const { body } = await weir.request('GET', '/audit?category=auth', { token: admin });
    const { entries } = body as { readonly entries: readonly Entry[] };
    const logins = entries.filter(({ action }) => action === 'login');

    expect(logins.map(({ result, username }) => `${result} ${username}`)).toEqual([
      'failure ',
      'success grace-of-partners',
      'failure ',
      'failure ',
      'success grace-of-partners',
      'success grace',
      'failure ',
    ]);
    expect(JSON.stringify(logins)).toContain('email_not_allowed');
  });

  describe('POST /auth/oidc/test', () => {
    const test = (settings?: object, token = admin) =>
      weir.request('POST', '/auth/oidc/test', { token, body: settings === undefined ? {} : { settings } });
    const given = () => {
      const { issuer, clientId, clientSecret } = provider;
      return { issuer, clientId, clientSecret, clientUrl: `http://127.0.0.1:${port}/ignored` };
    };
    const resultsOf = ({ body }: { readonly body: unknown }): Readonly<Record<string, string>> => {
      const { checks } = body as { readonly checks: readonly { readonly name: string; readonly result: string }[] };
      return Object.fromEntries(checks.map(({ name, result }) => [name, result]));
    };

    it('returns 200 and finds nothing wrong with the settings of the server', async () => {
      const answer = await test();

      expect(answer).toMatchObject({
        status: 200,
        body: {
          success: true,
          issuer: provider.issuer,
          clientId: provider.clientId,
          redirectAddress: `http://127.0.0.1:${port}/weir/oidc-callback`,
        },
      });
      expect(resultsOf(answer)).toMatchObject({ flow: 'passed', keys: 'passed', client: 'passed', redirect: 'passed' });
      expect(JSON.stringify(answer.body)).not.toContain(provider.clientSecret);
    });

    it('returns 200 for the provider that it names', async () => {
      const body = { provider: 'partners' };
      await expect(weir.request('POST', '/auth/oidc/test', { token: admin, body })).resolves.toMatchObject({
        status: 200,
        body: {
          success: true,
          issuer: other.issuer,
          redirectAddress: `http://127.0.0.1:${port}/weir/oidc-callback/partners`,
        },
      });
    });

    it.each([
      ['nothing', 'settings that hold', {}, {}],
      ['the client', 'a wrong secret', { clientSecret: 'another' }, { client: 'failed' }],
      ['the client and the redirect', 'an unknown client', { clientId: 'x' }, { client: 'failed', redirect: 'failed' }],
      ['the redirect', 'an unknown address', { clientUrl: 'https://weir.example.com' }, { redirect: 'failed' }],
      ['the scopes', 'other scopes', { scopes: ['openid', 'teams'] }, { scopes: 'warning' }],
      ['the groups', 'an unknown claim', { groupsClaim: 'teams' }, { groups: 'warning' }],
    ])('returns 200 and finds fault with %s for %s', async (_named, _case, change, results) => {
      const answer = await test({ ...given(), ...change });
      const faults = Object.entries(resultsOf(answer)).filter(([, result]) => result !== 'passed');

      expect(Object.fromEntries(faults)).toEqual(results);
      expect(answer.body).toMatchObject({ success: !Object.values(results).includes('failed') });
    });

    it('returns 200 and checks nothing else if the provider is not found', async () => {
      const answers = [
        await test({ ...given(), issuer: 'http://127.0.0.1:9' }),
        await test({ ...given(), issuer: `${provider.issuer}/other` }),
      ];

      for (const answer of answers) {
        const { discovery, ...others } = resultsOf(answer);
        expect(discovery).toBe('failed');
        expect(new Set(Object.values(others))).toEqual(new Set(['skipped']));
      }
      expect(JSON.stringify(answers[0]?.body)).toContain('cannot be reached at http://127.0.0.1:9/.well-known');
    });

    it('returns 400 for unencrypted addresses, missing settings, and settings of a provider that has some', async () => {
      const refused = [{ issuer: 'http://id.example.com' }, { clientUrl: 'http://weir.example.com' }, { clientId: '' }];

      for (const change of refused) {
        await expect(test({ ...given(), ...change })).resolves.toMatchObject({
          status: 400,
          body: { reason: 'request_invalid' },
        });
      }
      const body = { settings: given(), provider: 'partners' };
      expect((await weir.request('POST', '/auth/oidc/test', { token: admin, body })).status).toBe(400);
    });

    it('returns 409 for an unknown provider, and on a server without settings', async () => {
      const unknown = { token: admin, body: { provider: 'unknown' } };
      expect((await weir.request('POST', '/auth/oidc/test', unknown)).status).toBe(409);

      const other = await startWeir();
      const token = await setUpAdmin(other);
      const answer = await other.request('POST', '/auth/oidc/test', { token, body: {} });
      await other.dispose();

      expect(answer).toMatchObject({ status: 409, body: { reason: 'oidc_not_configured' } });
    });
  });

  it('keeps the user over a restart, and reports when the provider is down', async () => {
    const before = await visit('grace');
    await weir.process.stop();
    weir = await weir.restart();
    const me = await weir.request('GET', '/auth/me', { headers: { cookie: before.session } });
    await provider.stop();

    expect(me.status).toBe(200);
    await expect(visit('grace')).resolves.toMatchObject({ address: '/weir/dags?sign-in-failed=provider_unavailable' });
  });
});

it.each([
  ['an issuer without TLS on another machine', { WEIR_OIDC_ISSUER: 'http://idp.example.com' }, 'WEIR_OIDC_ISSUER'],
  ['an issuer alone', { WEIR_OIDC_ISSUER: 'https://idp.example.com' }, 'WEIR_OIDC_CLIENT_ID'],
  ['a role that is none', { WEIR_OIDC_GROUP_MAPPINGS: '{"a": "root"}' }, 'WEIR_OIDC_GROUP_MAPPINGS'],
  ['an admin of a workspace', { WEIR_OIDC_GROUP_MAPPINGS: '{"a": "admin@shop"}' }, 'WEIR_OIDC_GROUP_MAPPINGS'],
])('does not start with %s', async (_, env, named) => {
  const home = temporaryFolder();
  try {
    await expect(startWeir({ env, home })).rejects.toThrow(named);
  } finally {
    await home.remove();
  }
});
