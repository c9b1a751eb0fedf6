import { createTestApi, testPassword, type TestApi } from '../../testing/test-api';

let api: TestApi;

beforeEach(async () => {
  api = await createTestApi();
  await api.addUser({ username: 'ada' });
});
afterEach(() => api.stop());

interface Browser {
  /** The cookie as the server set it. */
  readonly set: string;
  /** As the browser sends it. */
  readonly headers: { readonly cookie: string };
}

async function openBrowser(headers: Record<string, string> = {}, from = '127.0.0.1'): Promise<Browser> {
  const body = { username: 'ada', password: testPassword, session: true };
  const answer = await api.send('POST /auth/login', { body, headers, from });
  const [set = ''] = answer.headers.getSetCookie();
  return { set, headers: { cookie: set.split(';')[0] ?? '' } };
}

const me = (headers: Record<string, string>) => api.send('GET /auth/me', { headers });

describe('the cookie of a session', () => {
  it('is set by a login that requests it, for this server only and hidden from scripts', async () => {
    const { set, headers } = await openBrowser();

    expect(set).toMatch(/^weir_session=[\w-]{43}; Path=\/; Expires=.+ GMT; HttpOnly; SameSite=Strict$/);
    await expect(me(headers)).resolves.toMatchObject({ status: 200, body: { user: { username: 'ada' } } });
  });

  it('is not set by a login that does not request it', async () => {
    const answer = await api.send('POST /auth/login', { body: { username: 'ada', password: testPassword } });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is kept to TLS where the page was loaded over it', async () => {
    const { set } = await openBrowser({ 'x-forwarded-proto': 'https' });
    expect(set).toContain('; Secure');
  });

  it.each([
    ['a page of another origin', { origin: 'https://attacker.example' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }],
  ])('does not let %s change anything', async (_, page) => {
    const { headers } = await openBrowser();
    const answer = await api.send('POST /auth/logout', { headers: { ...headers, ...page } });

    expect(answer).toMatchObject({ status: 403, body: { reason: 'cross_site' } });
    await expect(me(headers)).resolves.toMatchObject({ status: 200 });
  });

  it('is ignored beside another credential', async () => {
    const { headers } = await openBrowser();
    await expect(me({ ...headers, authorization: 'Bearer wrong' })).resolves.toMatchObject({ status: 401 });
  });

  it.each([
    ['of an unknown session', `weir_session=${'A'.repeat(43)}`],
    ['that is no token', 'weir_session=1'],
    ['that is empty', 'weir_session='],
  ])('%s is no credential', async (_, cookie) => {
    await expect(me({ cookie })).resolves.toMatchObject({ status: 401 });
  });

  it('is no credential once the session has expired', async () => {
    const { headers } = await openBrowser();
    api.clock.advance(3_600_000);
    await expect(me(headers)).resolves.toMatchObject({ status: 401 });
  });

  it('is no credential once the user is disabled or has a new password', async () => {
    const { headers } = await openBrowser();
    const body = { currentPassword: testPassword, newPassword: 'another rather long one' };
    await expect(api.send('POST /auth/change-password', { headers, body })).resolves.toMatchObject({ status: 200 });

    await expect(me(headers)).resolves.toMatchObject({ status: 401 });
  });
});

describe('POST /auth/logout', () => {
  it('ends the session and removes the cookie', async () => {
    const { headers } = await openBrowser();
    const answer = await api.send('POST /auth/logout', { headers });

    expect(answer).toMatchObject({ status: 200, body: { signOutPath: null } });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^weir_session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    await expect(me(headers)).resolves.toMatchObject({ status: 401 });
  });

  it('leaves other sessions and tokens alone', async () => {
    const [one, other] = [await openBrowser(), await openBrowser()];
    const token = await api.signIn({ username: 'ada' });
    await api.send('POST /auth/logout', { headers: one.headers });
    await expect(api.send('POST /auth/logout', { as: token })).resolves.toMatchObject({ status: 200 });

    await expect(me(other.headers)).resolves.toMatchObject({ status: 200 });
    await expect(api.send('GET /auth/me', { as: token })).resolves.toMatchObject({ status: 200 });
  });
});

describe('the sessions of a user', () => {
  it('are listed with their browsers, newest first', async () => {
    await openBrowser({ 'user-agent': 'Browser A' }, '203.0.113.7');
    api.clock.advance(61_000);
    const { headers } = await openBrowser({ 'user-agent': `Browser B${'x'.repeat(300)}` });
    const { body } = await api.send('GET /auth/sessions', { headers });

    expect(body.sessions).toMatchObject([
      { userAgent: `Browser B${'x'.repeat(247)}`, isCurrent: true },
      { userAgent: 'Browser A', address: '203.0.113.7', isCurrent: false },
    ]);
  });

  it('store their use, to the minute', async () => {
    const { headers } = await openBrowser();
    const used = async () => {
      const { body } = await api.send('GET /auth/sessions', { headers });
      return (body.sessions as { lastUsedAt: string }[])[0]?.lastUsedAt;
    };
    const atFirst = await used();
    api.clock.advance(59_000);
    await expect(used()).resolves.toBe(atFirst);
    api.clock.advance(1000);
    await used();

    await expect(used()).resolves.toBe(api.clock.now().toISOString());
  });

  it('are ended only by their user', async () => {
    const [mine, stolen] = [await openBrowser(), await openBrowser()];
    const { body } = await api.send('GET /auth/sessions', { headers: mine.headers });
    const id = (body.sessions as { id: string; isCurrent: boolean }[]).find(({ isCurrent }) => !isCurrent)?.id ?? '';
    const eve = await api.createToken('admin');

    await expect(api.send(`DELETE /auth/sessions/${id}`, { as: eve })).resolves.toMatchObject({
      status: 404,
      body: { reason: 'session_not_found' },
    });
    await expect(api.send(`DELETE /auth/sessions/${id}`, { headers: mine.headers })).resolves.toMatchObject({
      status: 204,
    });
    await expect(me(stolen.headers)).resolves.toMatchObject({ status: 401 });
    await expect(me(mine.headers)).resolves.toMatchObject({ status: 200 });
  });

  it('do not exist for an API key', async () => {
    const { key } = await api.addApiKey();
    await expect(api.send('GET /auth/sessions', { as: key })).resolves.toMatchObject({ body: { sessions: [] } });
  });
});

describe('GET /auth/state', () => {
  it('says whether the first admin is missing', async () => {
    await expect(api.send('GET /auth/state')).resolves.toMatchObject({
      status: 200,
      body: { mode: 'builtin', needsSetup: false, needsSetupToken: false },
    });
    const empty = await createTestApi();
    await expect(empty.send('GET /auth/state')).resolves.toMatchObject({ body: { needsSetup: true } });
    await empty.stop();
  });
});
