import { writeFile } from 'node:fs/promises';
import { signInAtProvider, startIdentityProvider, temporaryFolder, type IdentityProvider } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { startWeir, type RequestOptions, type Weir } from '../support/weir-server';

const redirectUri = 'http://127.0.0.1:9/callback';
const settings = '/settings/agent';
const folder = temporaryFolder();

let weir: Weir;
let provider: IdentityProvider;
let admin: string;

beforeAll(async () => {
  provider = await startIdentityProvider({ redirectUri, people: { grace: {} } });
  await writeFile(
    folder.file('providers.yaml'),
    JSON.stringify([
      {
        id: 'corp',
        name: 'Corp',
        issuer: provider.issuer,
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        redirect_uri: redirectUri,
        base_url: 'https://models.example.com',
      },
    ]),
  );
  weir = await startWeir({
    env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_AGENT_PROVIDERS_FILE: folder.file('providers.yaml') },
  });
  admin = await setUpAdmin(weir);
}, 60_000);
afterAll(async () => {
  await weir.dispose();
  await provider.stop();
  await folder.remove();
});

const send = async (operation: string, options: RequestOptions = {}) => {
  const [method = '', address = ''] = operation.split(' ');
  const { status, body } = await weir.request(method, address, { token: admin, ...options });
  return { status, body: body as Record<string, unknown> | undefined };
};

describe('memory of the agent', () => {
  describe('PUT /settings/agent/memory', () => {
    it('returns 200 without a body, and 400 for a text that is too long', async () => {
      const write = (content: string) => send(`PUT ${settings}/memory`, { body: { content } });
      expect(await write('line\n'.repeat(300))).toEqual({ status: 200, body: undefined });
      expect((await write('x'.repeat(262_145))).status).toBe(400);
    });
  });

  describe('PUT /settings/agent/memory/dags/{dagName}', () => {
    it('returns 200 without a body, and 400 for an invalid name', async () => {
      const body = { content: 'Fails on Sundays.' };
      expect(await send(`PUT ${settings}/memory/dags/nightly`, { body })).toEqual({ status: 200, body: undefined });
      expect((await send(`PUT ${settings}/memory/dags/..%2Fx`, { body })).status).toBe(400);
    });
  });

  describe('GET /settings/agent/memory', () => {
    it('returns 200 with the first 200 lines, and the DAGs that have a memory', async () => {
      const { status, body } = await send(`GET ${settings}/memory`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ dagMemories: ['nightly'], memoryDir: '' });
      expect(String(body?.globalMemory).split('\n')).toHaveLength(200);
    });
  });

  describe('GET /settings/agent/memory/dags/{dagName}', () => {
    it('returns 200 with the text, which is empty if there is none', async () => {
      const read = (name: string) => send(`GET ${settings}/memory/dags/${name}`);
      expect(await read('nightly')).toEqual({
        status: 200,
        body: { dagName: 'nightly', content: 'Fails on Sundays.' },
      });
      expect((await read('other')).body).toEqual({ dagName: 'other', content: '' });
    });
  });

  describe('DELETE /settings/agent/memory', () => {
    it('returns 200, and keeps the memories of DAGs', async () => {
      expect((await send(`DELETE ${settings}/memory`)).status).toBe(200);
      expect((await send(`GET ${settings}/memory`)).body).toMatchObject({ globalMemory: '', dagMemories: ['nightly'] });
    });
  });

  describe('DELETE /settings/agent/memory/dags/{dagName}', () => {
    it('returns 200, even if there is none', async () => {
      for (let time = 0; time < 2; time += 1) {
        expect((await send(`DELETE ${settings}/memory/dags/nightly`)).status).toBe(200);
      }
      expect((await send(`GET ${settings}/memory`)).body).toMatchObject({ dagMemories: [] });
    });
  });
});

describe('signing in with a provider of models', () => {
  const login = `${settings}/auth/providers/corp/login`;
  const begin = async () => {
    const { body } = await send(`POST ${login}`);
    const address = String(body?.authUrl);
    return {
      flowId: String(body?.flowId),
      redirectUrl: await signInAtProvider({ address, redirectUri, person: 'grace' }),
    };
  };

  describe('POST /settings/agent/auth/providers/{providerId}/login', () => {
    it('returns 200 with an address of the provider, with a challenge, and 400 for an unknown provider', async () => {
      const { status, body } = await send(`POST ${login}`);
      expect(status).toBe(200);
      expect(new URL(String(body?.authUrl)).origin).toBe(provider.issuer);
      expect(String(body?.authUrl)).toMatch(/code_challenge_method=S256/);
      expect(await send(`POST ${settings}/auth/providers/none/login`)).toMatchObject({
        status: 400,
        body: { reason: 'agent_provider_unknown' },
      });
    });
  });

  describe('POST /settings/agent/auth/providers/{providerId}/login/complete', () => {
    it('returns 200 once, and 400 for a used login', async () => {
      const body = await begin();
      expect(await send(`POST ${login}/complete`, { body })).toMatchObject({
        status: 200,
        body: { provider: { id: 'corp', connected: true, canRefresh: true, accountId: 'grace' } },
      });
      expect(await send(`POST ${login}/complete`, { body })).toMatchObject({
        status: 400,
        body: { reason: 'agent_login_expired' },
      });
    });

    it('returns 400 for the answer of another login, and for both an address and a code', async () => {
      const [mine, theirs] = [await begin(), await begin()];
      const complete = (body: object) => send(`POST ${login}/complete`, { body });
      expect((await complete({ ...mine, code: 'x' })).status).toBe(400);
      expect(await complete({ ...mine, redirectUrl: theirs.redirectUrl })).toMatchObject({
        status: 400,
        body: { reason: 'agent_login_refused' },
      });
    });
  });

  describe('GET /settings/agent/auth/providers', () => {
    it('returns 200 with the state of each, without a token', async () => {
      const { status, body } = await send(`GET ${settings}/auth/providers`);
      expect(status).toBe(200);
      expect(body).toEqual({
        providers: [
          {
            id: 'corp',
            name: 'Corp',
            connected: true,
            canRefresh: true,
            accountId: 'grace',
            expiresAt: expect.any(String) as string,
          },
        ],
      });
    });
  });

  describe('DELETE /settings/agent/auth/providers/{providerId}/login', () => {
    it('returns 204, and 400 for an unknown provider', async () => {
      expect((await send(`DELETE ${login}`)).status).toBe(204);
      expect((await send(`GET ${settings}/auth/providers`)).body).toMatchObject({ providers: [{ connected: false }] });
      expect((await send(`DELETE ${settings}/auth/providers/none/login`)).status).toBe(400);
    });
  });

  describe('POST /settings/agent/auth/providers/{providerId}/login', () => {
    it('returns 502 while the provider is unavailable', async () => {
      await provider.stop();
      await weir.process.stop();
      weir = await weir.restart();
      expect(await send(`POST ${login}`)).toMatchObject({ status: 502, body: { reason: 'provider_unavailable' } });
    });
  });

  describe('POST /settings/agent/auth/providers/{providerId}/login/complete', () => {
    it('returns 502 while the provider is unavailable, and the login stays usable', async () => {
      provider = await startIdentityProvider({ redirectUri, people: { grace: {} }, port: portOf(provider.issuer) });
      const body = await begin();
      await provider.stop();
      for (let time = 0; time < 2; time += 1) {
        expect((await send(`POST ${login}/complete`, { body })).status).toBe(502);
      }
    });
  });

  it('is recorded without tokens', async () => {
    const { body } = await send('GET /audit?category=agent');
    expect(JSON.stringify(body)).toMatch(
      /agent_login_start.*agent_login_complete|agent_login_complete.*agent_login_start/,
    );
    expect(JSON.stringify(body)).not.toMatch(/accessToken|refreshToken/);
  });
});

const portOf = (issuer: string): number => Number(new URL(issuer).port);

it.each([
  ['is no list', 'corp: {}'],
  [
    'has an issuer without TLS',
    '[{id: a, name: A, issuer: "http://a.example", client_id: a, redirect_uri: "https://a.example", base_url: "https://a.example"}]',
  ],
])('does not start with a file of providers that %s', async (_, text) => {
  const home = temporaryFolder();
  try {
    await writeFile(home.file('providers.yaml'), text);
    const env = { WEIR_AGENT_PROVIDERS_FILE: home.file('providers.yaml') };
    await expect(startWeir({ env, home })).rejects.toThrow('WEIR_AGENT_PROVIDERS_FILE');
  } finally {
    await home.remove();
  }
});
