import { aDocument, documentAddress, reached, redirectAddress, useChatClient } from '../../testing/use-chat-client';

const setting = useChatClient();
const {
  post,
  register,
  aClient,
  requestOf,
  describeRequest,
  answer,
  consent,
  exchange,
  refresh,
  toTokens,
  connect,
  useTools,
  audited,
} = setting;

describe('POST /oauth/register', () => {
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
});

describe('the request of a chat client', () => {
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
  it.each([
    ['is missing', undefined, 'client_unknown'],
    ['is that of another client', aDocument({ client_id: 'https://other.example/client.json' }), 'client_unknown'],
    ['has a redirect address without TLS', aDocument({ redirect_uris: ['http://chat.example/'] }), 'client_unknown'],
    ['lacks the redirect address', aDocument({ redirect_uris: ['https://chat.example/'] }), 'redirect_mismatch'],
    ['wants a secret', aDocument({ token_endpoint_auth_method: 'client_secret_basic' }), 'client_unknown'],
  ])('is refused when that %s', async (_, document, reason) => {
    setting.clientDocuments[documentAddress] = document;
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
    setting.clientDocuments[clientId] = aDocument({ client_id: clientId });
    await expect(describeRequest(requestOf(clientId))).resolves.toMatchObject({
      status: 400,
      body: { reason: 'client_unknown' },
    });
  });
});

describe('the consent of a person', () => {
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
    await expect(answer(requestOf(await aClient()), 'full', { ...setting.browser, ...page })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'cross_site' },
    });
  });

  it('is not given by a program', async () => {
    const body = { request: requestOf(await aClient()), access: 'full' };
    const { key } = await setting.api.addApiKey({ role: 'admin' });
    for (const credential of [key, await setting.api.signIn({ username: 'ada' })]) {
      await expect(setting.api.send('POST /auth/connections', { as: credential, body })).resolves.toMatchObject({
        status: 403,
        body: { reason: 'session_required' },
      });
    }
  });
});

describe('POST /oauth/token', () => {
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
});
