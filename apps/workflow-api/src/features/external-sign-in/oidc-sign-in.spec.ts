import { useOidcSignIn } from '../../testing/external-sign-in/use-oidc-sign-in';

const setting = useOidcSignIn();

it('is shown to people who are not signed in', async () => {
  const { body } = await setting.api.send('GET /auth/state');
  expect(body.providers).toEqual([
    { kind: 'oidc', id: 'oidc', label: 'Sign in with us', path: '/oidc-login' },
    { kind: 'oidc', id: 'other', label: 'Sign in elsewhere', path: '/oidc-login/other' },
  ]);
});

describe('the way to the provider', () => {
  it('carries a challenge, a state and a nonce', async () => {
    const { sentTo } = await setting.begin();
    expect(`${sentTo.origin}${sentTo.pathname}`).toBe(`${setting.issuer.issuer}/auth`);
    expect(Object.fromEntries(sentTo.searchParams)).toMatchObject({
      client_id: 'weir',
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid',
      redirect_uri: 'http://127.0.0.1/oidc-callback',
      state: expect.any(String) as string,
      nonce: expect.any(String) as string,
      code_challenge: expect.any(String) as string,
    });
  });

  it('stores nothing readable in the browser', async () => {
    const { sentTo, cookie } = await setting.begin();
    await setting.comeBack({ sentTo, cookie });
    const verifier = setting.issuer.lastTokenRequest().get('code_verifier') ?? '';
    const stored = Buffer.from(cookie.split('.').at(-1) ?? '', 'base64url').toString('latin1');

    expect(verifier).not.toBe('');
    for (const secret of [verifier, sentTo.searchParams.get('state') ?? ''])
      expect(`${cookie}${stored}`).not.toContain(secret);
  });

  it('reports that the provider cannot be reached, and works once it can', async () => {
    await setting.restart();
    setting.issuer.isDown = true;
    const { sentTo } = await setting.begin();
    setting.issuer.isDown = false;

    expect(sentTo.searchParams.get('sign-in-failed')).toBe('provider_unavailable');
    expect((await setting.signIn()).failure).toBeNull();
  });
});

describe('a person who signs in for the first time', () => {
  it('becomes a user with a session, and sees the requested page', async () => {
    const attempt = await setting.begin('?return=%2Fdags%2Fnightly%3Ftab%3Druns');
    setting.issuer.claims = { sub: 'new', preferred_username: 'grace' };
    const { status, location, session } = await setting.comeBack(attempt);

    expect({ status, location }).toEqual({ status: 303, location: '/dags/nightly?tab=runs' });
    await expect(setting.me(session)).resolves.toMatchObject({
      username: 'grace',
      role: 'viewer',
      authProvider: 'oidc',
    });
  });

  it('sees a page whose address was escaped over and over', async () => {
    const page = `/settings?connect=${encodeURIComponent(encodeURIComponent('"&=%'.repeat(300)))}`;
    const attempt = await setting.begin(`?return=${encodeURIComponent(page)}`);
    setting.issuer.claims = { sub: 'new', preferred_username: 'grace' };

    await expect(setting.comeBack(attempt)).resolves.toMatchObject({ status: 303, location: page });
  });

  it('is asked again on the requested page after a failure', async () => {
    const attempt = await setting.begin('?return=%2Fsettings%3Fconnect%3Da%253Db');
    const { state = '' } = Object.fromEntries(attempt.sentTo.searchParams);
    const refused = { error: 'access_denied', state, iss: setting.issuer.issuer };
    await expect(setting.comeBack(attempt, refused)).resolves.toMatchObject({
      location: '/settings?connect=a%3Db&sign-in-failed=sign_in_refused',
      session: '',
    });
  });

  it('is not the user of the same name or e-mail address', async () => {
    const local = await setting.api.addUser({ username: 'linus', role: 'admin' });
    const claims = { sub: 'other', preferred_username: 'linus', email: 'linus', email_verified: true };
    const user = await setting.me((await setting.signIn(claims)).session);

    expect(user).toMatchObject({ role: 'viewer', username: expect.stringMatching(/^linus-[0-9a-f]{8}$/) as string });
    expect(user.id).not.toBe(local.id);
  });

  it('stays one user, even if the provider changes the name', async () => {
    const first = await setting.me((await setting.signIn({ sub: 'same', preferred_username: 'mary' })).session);
    const second = await setting.me((await setting.signIn({ sub: 'same', preferred_username: 'marie' })).session);
    expect(second).toMatchObject({ id: first.id, username: 'mary' });
  });

  it('has no password to sign in with, to change or to reset', async () => {
    const user = await setting.me((await setting.signIn({ sub: 'nopass', preferred_username: 'ken' })).session);
    const { send } = setting.api;
    const as = await setting.api.signIn({ username: 'root' });

    for (const password of ['', 'x', 'a rather long sentence']) {
      expect((await send('POST /auth/login', { body: { username: 'ken', password } })).status).not.toBe(200);
    }
    const reset = await send(`POST /users/${String(user.id)}/reset-password`, {
      as,
      body: { newPassword: 'a long new sentence' },
    });
    expect(reset).toMatchObject({ status: 403, body: { reason: 'no_password' } });
  });

  it('is refused where users are not created, or the first admin is missing', async () => {
    await setting.restart({ rules: { createsUsers: false } });
    expect((await setting.signIn({ sub: 'stranger' })).failure).toBe('no_user');
    await setting.restart();
    await setting.api.users.remove('root');
    expect((await setting.signIn({ sub: 'stranger' })).failure).toBe('setup_needed');
    await setting.restart();
  });
});

describe('the role', () => {
  it.each([
    [
      'the strongest of the groups',
      { groups: ['ops', 'admins'] },
      { role: 'admin', workspaceAccess: { all: true, grants: [] } },
    ],
    [
      'only in the workspace of a group',
      { groups: ['shop', 'unknown'] },
      { role: 'viewer', workspaceAccess: { all: false, grants: [{ workspace: 'shop', role: 'developer' }] } },
    ],
    ['that of one group, given as a text', { groups: 'ops' }, { role: 'operator' }],
    ['the default one without groups', {}, { role: 'viewer', workspaceAccess: { all: true, grants: [] } }],
  ])('is %s', async (_, claims, expected) => {
    const sub = `role-${JSON.stringify(claims)}`;
    await expect(setting.me((await setting.signIn({ sub, ...claims })).session)).resolves.toMatchObject(expected);
  });

  it('is read again at each sign-in, and counts in earlier sessions too', async () => {
    const { session } = await setting.signIn({ sub: 'moving', groups: ['admins'] });
    await setting.signIn({ sub: 'moving', groups: ['ops'] });
    await expect(setting.me(session)).resolves.toMatchObject({ role: 'operator' });
  });

  it('is missing where no group gives one and there is no default', async () => {
    await setting.restart({ rules: { defaultRole: undefined } });
    expect((await setting.signIn({ groups: ['unknown'] })).failure).toBe('no_role');
    await setting.restart();
  });

  it('is not guessed where the provider omits groups', async () => {
    expect((await setting.signIn({ _claim_names: { groups: 'src1' } })).failure).toBe('groups_incomplete');
  });
});

describe('with allowed domains', () => {
  beforeAll(() => setting.restart({ rules: { allowedDomains: ['example.com'], allowedEmails: ['guest@other.org'] } }));
  afterAll(() => setting.restart());

  it.each([
    ['a verified address of one', { email: 'a@Example.com', email_verified: true }, null],
    ['a listed address', { email: 'guest@other.org', email_verified: true }, null],
    ['an address that is not verified', { email: 'a@example.com' }, 'email_not_allowed'],
    [
      'an address that is verified as text only',
      { email: 'a@example.com', email_verified: 'yes' },
      'email_not_allowed',
    ],
    ['a domain below', { email: 'a@x.example.com', email_verified: true }, 'email_not_allowed'],
    ['two domains', { email: 'a@example.com@evil.org', email_verified: true }, 'email_not_allowed'],
    ['no address', {}, 'email_not_allowed'],
  ])('answers to %s', async (_, claims, failure) => {
    expect((await setting.signIn({ sub: `mail-${JSON.stringify(claims)}`, ...claims })).failure).toBe(failure);
  });
});

it('refuses a disabled user, and ends the session on sign-out', async () => {
  const { session } = await setting.signIn({ sub: 'leaving' });
  const { id } = await setting.me(session);
  const as = await setting.api.signIn({ username: 'root' });
  const headers = { cookie: session };
  expect((await setting.api.send('POST /auth/logout', { headers })).status).toBe(200);
  expect((await setting.api.send('GET /auth/me', { headers })).status).toBe(401);

  await setting.api.send(`PATCH /users/${String(id)}`, { as, body: { isDisabled: true } });
  expect(await setting.signIn({ sub: 'leaving' })).toMatchObject({ failure: 'user_disabled', session: '' });
});
