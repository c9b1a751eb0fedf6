import { createTestApi } from '../../testing/test-api';
import { aDocument, documentAddress, reached, redirectAddress, useChatClient } from '../../testing/use-chat-client';

const setting = useChatClient();
const {
  call,
  register,
  aClient,
  requestOf,
  describeRequest,
  answer,
  consent,
  exchange,
  toTokens,
  connect,
  useTools,
  audited,
} = setting;

describe('a chat client that knows only the address of the tools', () => {
  it('is told where to sign in', async () => {
    const refused = await call('/mcp', { method: 'POST' });
    const metadata = `${setting.api.url}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer realm="weir", resource_metadata="${metadata}"`);

    await expect(call('/.well-known/oauth-protected-resource/mcp')).resolves.toMatchObject({
      status: 200,
      body: { resource: `${setting.api.url}/mcp`, authorization_servers: [setting.api.url] },
    });
    await expect(call('/.well-known/oauth-authorization-server')).resolves.toMatchObject({
      status: 200,
      body: {
        issuer: setting.api.url,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    });
  });

  it('is told that its token is not valid', async () => {
    const refused = await call('/mcp', { method: 'POST', headers: { authorization: 'Bearer wrong' } });
    expect(refused.headers.get('www-authenticate')).toMatch(/resource_metadata=".+", error="invalid_token"$/);
  });

  it('gets the public address, whatever the Host', async () => {
    await using other = await withPublicUrl('https://weir.example.com');
    const { body } = await other.get('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({ issuer: 'https://weir.example.com' });
  });

  it('is told why it cannot sign in where the public address has no TLS', async () => {
    await using other = await withPublicUrl('http://weir.example.com');
    await expect(other.get('/.well-known/oauth-protected-resource/mcp')).resolves.toMatchObject({
      status: 404,
      body: { error_description: expect.stringContaining('WEIR_PUBLIC_URL is no https address') as string },
    });
    expect((await other.get('/mcp')).headers.get('www-authenticate')).toBe('Bearer realm="weir"');
  });
});

async function withPublicUrl(publicUrl: string) {
  const other = await createTestApi({ publicUrl });
  const get = async (path: string) => {
    const response = await fetch(`${other.url}${path}`);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { get, [Symbol.asyncDispose]: () => other.stop() };
}

describe('POST /oauth/register', () => {
  it('registers a client without a secret, with a name that disguises nothing', async () => {
    const registered = await register({
      client_name: ' Chat\u202E\u0007 ',
      redirect_uris: ['https://chat.example/callback', 'cursor://app/callback', 'com.example.app:/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    expect(registered).toMatchObject({
      status: 201,
      body: {
        client_name: 'Chat',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    });
    expect(registered.body.client_secret).toBeUndefined();
    await expect(audited('client_register')).resolves.toHaveLength(1);
  });

  it('removes clients that nobody has connected for a day', async () => {
    const unused = await aClient();
    const { clientId: used } = await connect();
    setting.api.clock.advance(86_400_001);
    await aClient();

    await setting.openBrowser();
    await expect(describeRequest(requestOf(unused))).resolves.toMatchObject({ body: { reason: 'client_unknown' } });
    await expect(describeRequest(requestOf(used))).resolves.toMatchObject({ status: 200 });
  });
});

describe('GET /oauth/authorize', () => {
  it('leads to the page that asks the person, whatever the request is', async () => {
    for (const request of [requestOf(await aClient()), 'redirect_uri=https://attacker.example/', '/attacker.example']) {
      const { status, headers } = await call(`/oauth/authorize?${request}`);
      const page = new URL(headers.get('location') ?? '', setting.api.url);
      expect([status, page.origin, page.pathname]).toEqual([303, setting.api.url, '/settings']);
      expect(page.searchParams.get('connect')).toBe(request);
    }
  });
});

describe('the request of a chat client', () => {
  it('is accepted from another port of the same program on this machine', async () => {
    const request = requestOf(await aClient(), { redirect_uri: 'http://127.0.0.1:4321/callback' });
    await expect(describeRequest(request)).resolves.toMatchObject({ status: 200 });
  });
});

describe('a chat client whose id is the address of its description', () => {
  it('signs in without having registered itself', async () => {
    setting.clientDocuments[documentAddress] = aDocument();
    await expect(call('/.well-known/oauth-authorization-server')).resolves.toMatchObject({
      body: { client_id_metadata_document_supported: true },
    });
    await expect(describeRequest(requestOf(documentAddress))).resolves.toMatchObject({
      status: 200,
      body: { clientName: 'Chat', documentAddress },
    });
    for (let time = 0; time < 2; time += 1) {
      const { access } = toTokens('', await exchange(documentAddress, await consent(documentAddress)));
      await expect(useTools(access)).resolves.toBe(reached);
    }
    await expect(setting.api.send('GET /auth/connections', { headers: setting.browser })).resolves.toMatchObject({
      body: { connections: [{ clientName: 'Chat' }, { clientName: 'Chat' }] },
    });
  });
});

describe('the consent of a person', () => {
  it('is asked with the name of the client, where its code goes and what it may do', async () => {
    const ask = async (values = {}) => describeRequest(requestOf(await aClient(), values));
    await expect(ask()).resolves.toMatchObject({
      status: 200,
      body: {
        clientName: 'Chat',
        redirectAddress,
        isLocal: true,
        resource: `${setting.api.url}/mcp`,
        accesses: ['read', 'full'],
      },
    });
    await expect(ask({ scope: 'read' })).resolves.toMatchObject({ body: { accesses: ['read'] } });
  });

  it('gives the client a code, its state and the name of the server', async () => {
    const { body } = await answer(requestOf(await aClient()), 'read');
    const { searchParams } = new URL(String(body.redirectAddress));
    expect([...searchParams.keys()]).toEqual(['code', 'state', 'iss']);
    await expect(audited('client_connect')).resolves.toMatchObject([{ username: 'ada' }]);
  });

  it('may be refused', async () => {
    const { body } = await answer(requestOf(await aClient()), null);
    expect(new URL(String(body.redirectAddress)).searchParams.get('error')).toBe('access_denied');
  });
});
