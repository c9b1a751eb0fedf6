import { useOidcSignIn } from '../../testing/external-sign-in/use-oidc-sign-in';

const setting = useOidcSignIn();
const end = () => `${setting.issuer.issuer}/end?tenant=a`;

const signOut = async (session: string) => {
  const { status, body } = await setting.api.send('POST /auth/logout', { headers: { cookie: session } });
  return { status, path: body.signOutPath };
};
const openPage = (path: string, cookie = '') =>
  fetch(`${setting.api.url}${path}`, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
const locationOf = (answer: Response) => new URL(answer.headers.get('location') ?? '', setting.api.url);

describe('signing out', () => {
  it('ends the session, and leads to the page that signs out at the provider of the user', async () => {
    const { session } = await setting.signIn();
    await expect(signOut(session)).resolves.toEqual({ status: 200, path: '/oidc-logout' });
    expect((await setting.api.send('GET /auth/me', { headers: { cookie: session } })).status).toBe(401);

    const atOther = await setting.begin('', '/oidc-login/other');
    const other = await setting.comeBack(atOther, undefined, '/oidc-callback/other');
    await expect(signOut(other.session)).resolves.toEqual({ status: 200, path: '/oidc-logout/other' });
  });

  it('leads nowhere for users with a password, for tokens, and where it is switched off', async () => {
    const as = await setting.api.signIn({ username: 'root' });
    const { body } = await setting.api.send('POST /auth/logout', { as });
    await setting.restart({ settings: { signsOutThere: false } });
    const { session } = await setting.signIn();
    const off = await signOut(session);
    await setting.restart();

    expect([body.signOutPath, off.path]).toEqual([null, null]);
  });
});

describe('the page of the sign-out', () => {
  it('names client, person and the address to return to', async () => {
    setting.issuer.metadata = { end_session_endpoint: end() };
    await setting.restart();
    const landing = await setting.signIn({ sub: 'leaving' });
    const answer = await openPage('/oidc-logout', landing.signOut);
    const { origin, pathname, searchParams } = locationOf(answer);
    const { id_token_hint: hint = '', ...others } = Object.fromEntries(searchParams);

    expect(`${origin}${pathname}`).toBe(`${setting.issuer.issuer}/end`);
    expect(others).toEqual({ tenant: 'a', client_id: 'weir', post_logout_redirect_uri: 'http://127.0.0.1/' });
    expect(JSON.parse(Buffer.from(hint.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ sub: 'leaving' });
    expect(answer.headers.getSetCookie().join()).toMatch(/^weir_sign_out=;/);
  });

  it('stores the token readable for nobody, and sends it to the browser that signed in only', async () => {
    setting.issuer.metadata = { end_session_endpoint: end() };
    await setting.restart();
    const { signOut: cookie } = await setting.signIn({ sub: 'leaving', email: 'leaving@example.com' });
    const stored = cookie.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    const others = ['', 'weir_sign_out=a.b.c', cookie.slice(0, -2), `weir_sign_out=${'a'.repeat(7000)}`];

    expect(`${cookie}${stored.join('')}`).not.toContain('leaving');
    for (const other of others) {
      expect(locationOf(await openPage('/oidc-logout', other)).searchParams.has('id_token_hint')).toBe(false);
    }
  });

  it('never sends the token of one provider to another', async () => {
    for (const each of [setting.issuer, setting.other]) each.metadata = { end_session_endpoint: `${each.issuer}/end` };
    await setting.restart();
    const { signOut: cookie } = await setting.signIn();
    const sentTo = locationOf(await openPage('/oidc-logout/other', cookie.replace(/^[^=]+/, 'weir_sign_out_other')));

    expect([sentTo.origin, sentTo.searchParams.has('id_token_hint')]).toEqual([setting.other.issuer, false]);
  });

  it('leaves out a token that is too long for a cookie', async () => {
    const { session, signOut: cookie } = await setting.signIn({ padding: 'x'.repeat(4000) });
    expect([session === '', cookie]).toEqual([false, '']);
  });

  it.each([
    ['offers no sign-out', {}, '/'],
    ['offers one that others can read', { end_session_endpoint: 'http://id.example.com/end' }, '/'],
  ])('shows the sign-in page where the provider %s', async (_, metadata, location) => {
    setting.issuer.metadata = metadata;
    await setting.restart();
    expect((await openPage('/oidc-logout')).headers.get('location')).toBe(location);
  });

  it('reports that the provider cannot be reached', async () => {
    await setting.restart();
    setting.issuer.isDown = true;
    const answer = await openPage('/oidc-logout');
    expect(answer.headers.get('location')).toBe('/?sign-in-failed=provider_unavailable');
  });
});
