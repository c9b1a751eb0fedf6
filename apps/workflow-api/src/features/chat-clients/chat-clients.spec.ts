import { createHash } from 'node:crypto';
import { systemTimer } from '@weir/workflow-engine/model';
import { createRecordingLogger } from '@weir/test-kit';
import { systemClock } from '../../adapters/clock';
import { systemRandom } from '../../adapters/random-source';
import { createTestApi, testPassword, type TestApi } from '../../testing/test-api';
import { createAuditTrail, createInMemoryAuditLogRepository, type AuditLogRepository, type AuditTrail } from '../audit';

const verifier = 'v'.repeat(43);
const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
const redirectAddress = 'http://127.0.0.1:1234/callback';

const documentAddress = 'https://chat.example/client.json';
const aDocument = (values: object = {}) => ({
  client_id: documentAddress,
  client_name: 'Chat',
  redirect_uris: [redirectAddress],
  ...values,
});
const clientDocuments: Record<string, unknown> = {};

let api: TestApi;
let auditLog: AuditLogRepository;
let audit: AuditTrail;
let browser: Record<string, string>;

beforeEach(async () => {
  auditLog = createInMemoryAuditLogRepository();
  audit = createAuditTrail({
    auditLog,
    auditRetentionMs: undefined,
    clock: systemClock,
    timer: systemTimer,
    random: systemRandom,
    logger: createRecordingLogger(),
  });
  api = await createTestApi({ audit, clientDocuments });
  await api.addUser({ id: 'ada', username: 'ada', role: 'developer' });
  browser = await openBrowser('ada');
});
afterEach(() => api.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

async function openBrowser(username: string): Promise<Record<string, string>> {
  const answer = await api.send('POST /auth/login', { body: { username, password: testPassword, session: true } });
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${api.url}${path}`, { redirect: 'manual', ...init });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, headers: answer.headers, body: isJson ? (JSON.parse(text) as Answer['body']) : {} };
}

function register(metadata: object, from = '203.0.113.1'): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  return call('/oauth/register', { method: 'POST', headers, body: JSON.stringify(metadata) });
}

async function aClient(): Promise<string> {
  const { body } = await register({ client_name: 'Chat', redirect_uris: [redirectAddress] });
  return String(body.client_id);
}

function requestOf(clientId: string, values: Readonly<Record<string, string | undefined>> = {}): string {
  const request: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectAddress,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    state: 'of the client',
    resource: `${api.url}/mcp`,
    ...values,
  };
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(request)) if (value !== undefined) parameters.set(name, value);
  return parameters.toString();
}

const answer = (request: string, access: string | null, headers = browser) =>
  api.send('POST /auth/connections', { headers, body: { request, access } });

async function consent(clientId: string, access = 'full', headers = browser): Promise<string> {
  const { body } = await answer(requestOf(clientId), access, headers);
  return new URL(String(body.redirectAddress)).searchParams.get('code') ?? '';
}

function post(path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  return call(path, { method: 'POST', body: new URLSearchParams(form) });
}

const exchange = (clientId: string, code: string, values: Readonly<Record<string, string>> = {}) =>
  post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectAddress,
    code_verifier: verifier,
    resource: `${api.url}/mcp`,
    ...values,
  });

const refresh = (clientId: string, token: string, values: Readonly<Record<string, string>> = {}) =>
  post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...values });

interface Tokens {
  readonly clientId: string;
  readonly access: string;
  readonly refresh: string;
}

function toTokens(clientId: string, { body }: Answer): Tokens {
  return { clientId, access: String(body.access_token), refresh: String(body.refresh_token) };
}

async function connect(access = 'full', headers = browser): Promise<Tokens> {
  const clientId = await aClient();
  return toTokens(clientId, await exchange(clientId, await consent(clientId, access, headers)));
}

/** The status of a GET of the tools, which are reached only with a POST. */
async function useTools(token: string): Promise<number> {
  const { status } = await call('/mcp', { headers: { authorization: `Bearer ${token}` } });
  return status;
}
const reached = 405;

const audited = async (action: string) => {
  await audit.seal();
  return auditLog.list({ action }, { offset: 0, limit: 10 });
};

describe('a chat client that knows only the address of the tools', () => {
  it('is told where to sign in', async () => {
    const refused = await call('/mcp', { method: 'POST' });
    const metadata = `${api.url}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer realm="weir", resource_metadata="${metadata}"`);

    await expect(call('/.well-known/oauth-protected-resource/mcp')).resolves.toMatchObject({
      status: 200,
      body: { resource: `${api.url}/mcp`, authorization_servers: [api.url] },
    });
    await expect(call('/.well-known/oauth-authorization-server')).resolves.toMatchObject({
      status: 200,
      body: {
        issuer: api.url,
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

  it.each([
    'http://chat.example/callback',
    'http://127.0.0.1.attacker.example/',
    'https://chat.example/#fragment',
    'https://user@chat.example/',
    'javascript:alert(1)//',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://chat.example\\@attacker.example/',
    '/relative',
  ])('refuses the redirect address %s', async (address) => {
    await expect(register({ redirect_uris: [redirectAddress, address] })).resolves.toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    });
  });

  it('refuses a client without redirect addresses, and with too many', async () => {
    for (const addresses of [[], Array.from({ length: 11 }, () => redirectAddress)]) {
      await expect(register({ redirect_uris: addresses })).resolves.toMatchObject({
        status: 400,
        body: { error: 'invalid_client_metadata' },
      });
    }
  });

  it('registers at most 20 clients in an hour for one network', async () => {
    const metadata = { redirect_uris: [redirectAddress] };
    for (let count = 0; count < 20; count += 1) await register(metadata);
    const refused = await register(metadata);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    await expect(register(metadata, '203.0.113.2')).resolves.toMatchObject({ status: 201 });
  });

  it('removes clients that nobody has connected for a day', async () => {
    const unused = await aClient();
    const { clientId: used } = await connect();
    api.clock.advance(86_400_001);
    await aClient();

    browser = await openBrowser('ada');
    await expect(describeRequest(requestOf(unused))).resolves.toMatchObject({ body: { reason: 'client_unknown' } });
    await expect(describeRequest(requestOf(used))).resolves.toMatchObject({ status: 200 });
  });
});

const describeRequest = (request: string) =>
  api.send(`GET /auth/connections/request?${new URLSearchParams({ request }).toString()}`, { headers: browser });

describe('GET /oauth/authorize', () => {
  it('leads to the page that asks the person, whatever the request is', async () => {
    for (const request of [requestOf(await aClient()), 'redirect_uri=https://attacker.example/', '/attacker.example']) {
      const { status, headers } = await call(`/oauth/authorize?${request}`);
      const page = new URL(headers.get('location') ?? '', api.url);
      expect([status, page.origin, page.pathname]).toEqual([303, api.url, '/settings']);
      expect(page.searchParams.get('connect')).toBe(request);
    }
  });
});

describe('the request of a chat client', () => {
  it('is accepted from another port of the same program on this machine', async () => {
    const request = requestOf(await aClient(), { redirect_uri: 'http://127.0.0.1:4321/callback' });
    await expect(describeRequest(request)).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }, 'client_unknown'],
    ['another redirect address', { redirect_uri: 'https://attacker.example/callback' }, 'redirect_mismatch'],
    ['another path', { redirect_uri: 'http://127.0.0.1:1234/callback/../other' }, 'redirect_mismatch'],
    ['another query', { redirect_uri: 'http://127.0.0.1:1234/callback?next=x' }, 'redirect_mismatch'],
    ['another machine', { redirect_uri: 'http://127.0.0.1.attacker.example:1234/callback' }, 'redirect_mismatch'],
    ['another name of the machine', { redirect_uri: 'http://localhost:1234/callback' }, 'redirect_mismatch'],
    ['no redirect address', { redirect_uri: undefined }, 'redirect_mismatch'],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'client_request_invalid'],
    ['PKCE without a hash', { code_challenge_method: 'plain' }, 'client_request_invalid'],
    ['PKCE without a method', { code_challenge_method: undefined }, 'client_request_invalid'],
    ['a wish for a token without a code', { response_type: 'token' }, 'client_request_invalid'],
    ['a form in the place of an address', { response_mode: 'form_post' }, 'client_request_invalid'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'client_request_invalid'],
  ])('is refused with %s, and answered to nobody', async (_, values, reason) => {
    const request = requestOf(await aClient(), values);
    const refusal = { status: 400, body: { reason } };
    await expect(describeRequest(request)).resolves.toMatchObject(refusal);
    const answered = await answer(request, 'full');
    expect(answered).toMatchObject(refusal);
    expect(answered.body.redirectAddress).toBeUndefined();
  });

  it.each(['redirect_uri=https%3A%2F%2Fattacker.example%2F', 'code_challenge_method=plain', 'client_id=other'])(
    'is refused with a second %s',
    async (second) => {
      const request = `${requestOf(await aClient())}&${second}`;
      await expect(describeRequest(request)).resolves.toMatchObject({ status: 400 });
    },
  );
});

describe('a chat client whose id is the address of its description', () => {
  it('signs in without having registered itself', async () => {
    clientDocuments[documentAddress] = aDocument();
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
    await expect(api.send('GET /auth/connections', { headers: browser })).resolves.toMatchObject({
      body: { connections: [{ clientName: 'Chat' }, { clientName: 'Chat' }] },
    });
  });

  it.each([
    ['is missing', undefined, 'client_unknown'],
    ['is that of another client', aDocument({ client_id: 'https://other.example/client.json' }), 'client_unknown'],
    ['has a redirect address without TLS', aDocument({ redirect_uris: ['http://chat.example/'] }), 'client_unknown'],
    ['lacks the redirect address', aDocument({ redirect_uris: ['https://chat.example/'] }), 'redirect_mismatch'],
    ['wants a secret', aDocument({ token_endpoint_auth_method: 'client_secret_basic' }), 'client_unknown'],
  ])('is refused when that %s', async (_, document, reason) => {
    clientDocuments[documentAddress] = document;
    await expect(describeRequest(requestOf(documentAddress))).resolves.toMatchObject({
      status: 400,
      body: { reason },
    });
  });

  it.each([
    'http://chat.example/client.json',
    'https://chat.example/',
    'https://chat.example',
    'https://user@chat.example/client.json',
    'https://chat.example/client.json?x=1',
    'https://chat.example/client.json#x',
    'https://chat.example/a/../client.json',
    'https://CHAT.example/client.json',
  ])('is refused with the id %s', async (clientId) => {
    clientDocuments[clientId] = aDocument({ client_id: clientId });
    await expect(describeRequest(requestOf(clientId))).resolves.toMatchObject({
      status: 400,
      body: { reason: 'client_unknown' },
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
        resource: `${api.url}/mcp`,
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

  it('gives no more than the client has asked for', async () => {
    const request = requestOf(await aClient(), { scope: 'read' });
    await expect(answer(request, 'full')).resolves.toMatchObject({
      status: 400,
      body: { reason: 'client_request_invalid' },
    });
  });

  it.each([
    ['another origin', { origin: 'https://attacker.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is not given by a page of %s', async (_, page) => {
    await expect(answer(requestOf(await aClient()), 'full', { ...browser, ...page })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'cross_site' },
    });
  });

  it('is not given by a program', async () => {
    const body = { request: requestOf(await aClient()), access: 'full' };
    const { key } = await api.addApiKey({ role: 'admin' });
    for (const credential of [key, await api.signIn({ username: 'ada' })]) {
      await expect(api.send('POST /auth/connections', { as: credential, body })).resolves.toMatchObject({
        status: 403,
        body: { reason: 'session_required' },
      });
    }
  });
});

describe('POST /oauth/token', () => {
  it('exchanges the code for tokens that reach the tools, and nothing else', async () => {
    const clientId = await aClient();
    const issued = await exchange(clientId, await consent(clientId, 'read'));
    expect(issued).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900, scope: 'read' } });
    expect(issued.headers.get('cache-control')).toBe('no-store');

    const { access, refresh: other } = toTokens(clientId, issued);
    await expect(useTools(access)).resolves.toBe(reached);
    await expect(useTools(other)).resolves.toBe(401);
    await expect(api.send('GET /dags', { as: access })).resolves.toMatchObject({ status: 404 });
    await expect(api.send('GET /auth/me', { as: access })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'surface_missing' },
    });
  });

  it('accepts a code once; the second time ends what the first has given', async () => {
    const clientId = await aClient();
    const code = await consent(clientId);
    const { access, refresh: token } = toTokens(clientId, await exchange(clientId, code));

    await expect(exchange(clientId, code)).resolves.toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await expect(useTools(access)).resolves.toBe(401);
    await expect(refresh(clientId, token)).resolves.toMatchObject({ status: 400 });
    await expect(audited('client_leak')).resolves.toMatchObject([{ username: 'ada' }]);
  });

  it.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:4321/callback' }],
    ['another client', { client_id: 'other' }],
  ])('refuses a code with %s, and from then on altogether', async (_, values) => {
    const clientId = await aClient();
    const code = await consent(clientId);
    await expect(exchange(clientId, code, values)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
    await expect(exchange(clientId, code)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
  });

  it.each([
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('refuses %s', async (_, values, error) => {
    const clientId = await aClient();
    await expect(exchange(clientId, await consent(clientId), values)).resolves.toMatchObject({
      status: 400,
      body: { error },
    });
  });

  it('refuses a code after a minute', async () => {
    const clientId = await aClient();
    const code = await consent(clientId);
    api.clock.advance(60_000);
    await expect(exchange(clientId, code)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
  });

  it('replaces both tokens with each refresh', async () => {
    const first = await connect();
    const second = toTokens(first.clientId, await refresh(first.clientId, first.refresh));

    await expect(useTools(first.access)).resolves.toBe(401);
    await expect(useTools(second.access)).resolves.toBe(reached);
  });

  it('ends the connection when a refresh token comes back', async () => {
    const first = await connect();
    const second = toTokens(first.clientId, await refresh(first.clientId, first.refresh));

    await expect(refresh(first.clientId, first.refresh)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
    await expect(useTools(second.access)).resolves.toBe(401);
    await expect(refresh(first.clientId, second.refresh)).resolves.toMatchObject({ status: 400 });
    await expect(audited('client_leak')).resolves.toHaveLength(1);
  });

  it('ends the connection when a refresh token comes back that was replaced twice', async () => {
    const first = await connect();
    const second = toTokens(first.clientId, await refresh(first.clientId, first.refresh));
    const third = toTokens(first.clientId, await refresh(first.clientId, second.refresh));

    await expect(refresh(first.clientId, first.refresh)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
    await expect(useTools(third.access)).resolves.toBe(401);
  });

  it.each([
    ['a made-up refresh token', 'weirmcr', 86],
    ['a made-up refresh token as short as a code', 'weirmcr', 43],
    ['a made-up code', 'weirmcc', 43],
    ['a made-up code as long as a refresh token', 'weirmcc', 86],
  ])('leaves a connection alone whose id is presented in %s', async (_, mark, length) => {
    const { clientId, access, refresh: token } = await connect();
    const [{ resourceId: id } = {}] = await audited('client_connect');
    const madeUp = `${mark}_${id}_${'A'.repeat(length)}`;

    for (const attempt of [refresh(clientId, madeUp), refresh('other', madeUp), exchange(clientId, madeUp)]) {
      await expect(attempt).resolves.toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
    await post('/oauth/revoke', { token: madeUp });
    await expect(useTools(access)).resolves.toBe(reached);
    await expect(refresh(clientId, token)).resolves.toMatchObject({ status: 200 });
    await expect(audited('client_leak')).resolves.toEqual([]);
  });

  it('gives two tokens for one refresh token to nobody', async () => {
    const { clientId, refresh: token } = await connect();
    const answers = await Promise.all([refresh(clientId, token), refresh(clientId, token)]);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    await expect(audited('client_leak')).resolves.toHaveLength(1);
  });

  it('lets an access token end after 15 minutes, and a refresh token after 30 days without use', async () => {
    const { clientId, access, refresh: token } = await connect();
    api.clock.advance(900_000);
    await expect(useTools(access)).resolves.toBe(401);
    const next = toTokens(clientId, await refresh(clientId, token));
    api.clock.advance(30 * 86_400_000);
    await expect(refresh(clientId, next.refresh)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
  });
});

describe('a connection', () => {
  it.each(['disabled', 'deleted'])('ends when its user is %s', async (end) => {
    const { clientId, access, refresh: token } = await connect();
    const user = await api.users.findById('ada');
    if (user === undefined || end === 'deleted') await api.users.remove('ada');
    else await api.users.update({ ...user, isDisabled: true });

    await expect(useTools(access)).resolves.toBe(401);
    await expect(refresh(clientId, token)).resolves.toMatchObject({ body: { error: 'invalid_grant' } });
  });

  it('ends with a new password', async () => {
    const { access } = await connect();
    const body = { currentPassword: testPassword, newPassword: 'another rather long one' };
    await api.send('POST /auth/change-password', { headers: browser, body });
    await expect(useTools(access)).resolves.toBe(401);
  });

  it('is ended by its client', async () => {
    const { access, refresh: token } = await connect();
    await expect(post('/oauth/revoke', { token: `${token.slice(0, -1)}x` })).resolves.toMatchObject({ status: 200 });
    await expect(useTools(access)).resolves.toBe(reached);
    await expect(post('/oauth/revoke', { token })).resolves.toMatchObject({ status: 200 });
    await expect(useTools(access)).resolves.toBe(401);
  });

  it('is listed for its user, who ends it', async () => {
    const { access } = await connect('read');
    const { body } = await api.send('GET /auth/connections', { headers: browser });
    expect(body).toMatchObject({
      connections: [{ clientName: 'Chat', access: 'read', redirectAddress }],
      resource: `${api.url}/mcp`,
      unavailableReason: null,
    });
    const [{ id = '' } = {}] = body.connections as { readonly id?: string }[];

    const other = await api.createToken('admin');
    await expect(api.send('GET /auth/connections', { as: other })).resolves.toMatchObject({
      body: { connections: [] },
    });
    await expect(api.send(`DELETE /auth/connections/${id}`, { as: other })).resolves.toMatchObject({
      status: 404,
      body: { reason: 'connection_not_found' },
    });
    await expect(api.send(`DELETE /auth/connections/${id}`, { headers: browser })).resolves.toMatchObject({
      status: 204,
    });
    await expect(useTools(access)).resolves.toBe(401);
  });
});
