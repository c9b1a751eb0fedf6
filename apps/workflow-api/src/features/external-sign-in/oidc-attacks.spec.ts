import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { signedWithPublicKey, signWith, unsigned } from '../../testing/scripted-issuer';
import { readReturnAddress } from './return-address';
import { useOidcSignIn } from '../../testing/external-sign-in/use-oidc-sign-in';

const setting = useOidcSignIn();
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const refused = { status: 303, session: '' };

type Mint = (claims: Readonly<Record<string, unknown>>) => string;

const renamed = (cookie: string, name: string) => cookie.replace(/^[^=]+/, name);

describe('the return of a browser', () => {
  const queryOf = ({ sentTo }: { readonly sentTo: URL }) => ({
    code: 'c',
    iss: setting.issuer.issuer,
    state: sentTo.searchParams.get('state') ?? '',
  });

  it('is refused without a state', async () => {
    const attempt = await setting.begin();
    const landing = await setting.comeBack(attempt, { code: 'c', iss: setting.issuer.issuer });
    expect(landing).toMatchObject({ ...refused, failure: 'sign_in_refused' });
  });

  it('is refused with the state of another attempt', async () => {
    const [mine, other] = [await setting.begin(), await setting.begin()];
    expect(await setting.comeBack(mine, queryOf(other))).toMatchObject({ ...refused, failure: 'sign_in_refused' });
  });

  it('is refused in a browser that did not begin it, as when a link with a code is sent to another person', async () => {
    const attempt = await setting.begin();
    const landing = await setting.comeBack({ ...attempt, cookie: '' }, queryOf(attempt));
    expect(landing).toMatchObject({ ...refused, failure: 'sign_in_expired' });
  });

  it('is refused the second time, also when the first one failed', async () => {
    const [used, failed] = [await setting.begin(), await setting.begin()];
    expect((await setting.comeBack(used)).session).not.toBe('');
    await setting.comeBack(failed, { ...queryOf(failed), state: 'x' });

    for (const attempt of [used, failed]) {
      expect(await setting.comeBack(attempt, queryOf(attempt))).toMatchObject({
        ...refused,
        failure: 'sign_in_expired',
      });
    }
  });

  it('is refused ten minutes later', async () => {
    const attempt = await setting.begin();
    setting.api.clock.advance(600_000);
    expect(await setting.comeBack(attempt)).toMatchObject({ ...refused, failure: 'sign_in_expired' });
  });

  it.each([
    ['a changed cookie', (cookie: string) => `${cookie.slice(0, -2)}${cookie.endsWith('A') ? 'B' : 'A'}A`],
    ['a cookie of another make', () => 'weir_sign_in=a.b.c'],
    ['an endless cookie', () => `weir_sign_in=${'a'.repeat(7000)}`],
  ])('is refused with %s', async (_, change) => {
    const attempt = await setting.begin();
    const landing = await setting.comeBack({ ...attempt, cookie: change(attempt.cookie) });
    expect(landing).toMatchObject({ ...refused, failure: 'sign_in_expired' });
  });

  it.each([
    ['of another provider than the one that was asked', { iss: 'https://other.example.com' }],
    ['that leaves the provider out although it names itself', { iss: undefined }],
  ])('is refused with an answer %s', async (_, change) => {
    const attempt = await setting.begin();
    const query = Object.entries({ ...queryOf(attempt), ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const landing = await setting.comeBack(attempt, Object.fromEntries(query));
    expect(landing).toMatchObject({ ...refused, failure: 'sign_in_refused' });
  });

  it('reports that the provider refused, but not the text of the address', async () => {
    const attempt = await setting.begin();
    const { code: _, ...query } = queryOf(attempt);
    const landing = await setting.comeBack(attempt, {
      ...query,
      error: 'access_denied',
      error_description: '<b>call us</b>',
    });
    expect(landing).toMatchObject({ ...refused, location: '/?sign-in-failed=sign_in_refused' });
  });
});

describe('with two providers', () => {
  const pathOf = { own: '/oidc-callback', other: '/oidc-callback/other' } as const;
  const stateOf = ({ sentTo }: { readonly sentTo: URL }) => sentTo.searchParams.get('state') ?? '';
  const beginAtOther = () => setting.begin('', '/oidc-login/other');

  it('an attempt at one is refused on the return page of the other, which never gets its code', async () => {
    const [atOwn, atOther] = [await setting.begin(), await beginAtOther()];
    const [codesOfOwn, codesOfOther] = [setting.issuer.tokenRequests(), setting.other.tokenRequests()];
    // A malicious provider sends the browser, with the code of the honest one, to its own return page.
    const query = { code: 'c', state: stateOf(atOwn), iss: setting.issuer.issuer };
    const landings = [
      await setting.comeBack(atOwn, query, pathOf.other),
      await setting.comeBack({ ...atOwn, cookie: renamed(atOwn.cookie, 'weir_sign_in_other') }, query, pathOf.other),
      await setting.comeBack({ ...atOther, cookie: renamed(atOther.cookie, 'weir_sign_in') }, undefined, pathOf.own),
    ];

    for (const landing of landings) expect(landing).toMatchObject({ ...refused, failure: 'sign_in_expired' });
    expect([setting.issuer.tokenRequests(), setting.other.tokenRequests()]).toEqual([codesOfOwn, codesOfOther]);
  });

  it('an answer that names the other one is refused before its code is sent', async () => {
    const atOther = await beginAtOther();
    const codes = setting.other.tokenRequests();
    const query = { code: 'c', state: stateOf(atOther), iss: setting.issuer.issuer };

    expect(await setting.comeBack(atOther, query, pathOf.other)).toMatchObject({
      ...refused,
      failure: 'sign_in_refused',
    });
    expect(setting.other.tokenRequests()).toBe(codes);
  });

  it.each([
    ['claims to be of the other one', (mint: Mint) => mint],
    ['was signed by the other one', () => setting.issuer.signRs256],
  ])('a token is refused that %s', async (_, mintOf) => {
    setting.other.mint = mintOf(setting.other.signRs256);
    setting.other.claims = { iss: setting.issuer.issuer };
    const landing = await setting.comeBack(await beginAtOther(), undefined, pathOf.other);
    expect(landing).toMatchObject({ ...refused, failure: 'sign_in_refused' });
  });

  it('a subject of one is not the user of the same subject of the other', async () => {
    const admin = await setting.me((await setting.signIn({ sub: 'same', groups: ['admins'] })).session);
    setting.other.claims = { sub: 'same' };
    const landing = await setting.comeBack(await beginAtOther(), undefined, pathOf.other);
    const user = await setting.me(landing.session);

    expect([admin.role, user.role]).toEqual(['admin', 'viewer']);
    expect(user.id).not.toBe(admin.id);
  });
});

describe('an ID token', () => {
  const tokens: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['with the nonce of another attempt', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'other' }],
    ['for several clients, issued to another', { aud: ['weir', 'other'], azp: 'other' }],
    ['of another issuer', { iss: 'https://other.example.com' }],
    ['that has expired', { exp: 1 }],
    ['without an expiry', { exp: undefined }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with an endless subject', { sub: 'x'.repeat(300) }],
  ];
  it.each(tokens)('is refused %s', async (_, claims) => {
    expect(await setting.signIn(claims)).toMatchObject({ ...refused, failure: 'sign_in_refused' });
  });

  it.each([
    ['no signature', unsigned],
    [
      'the public key as a shared secret',
      (claims: object) => signedWithPublicKey(setting.issuer.publicKey, { ...claims }),
    ],
    ['another key', (claims: object) => signWith(stranger, { ...claims })],
    [
      'a key of its own header',
      (claims: object) => signWith(stranger, { ...claims }, { alg: 'RS256', jku: 'https://evil.example.com' }),
    ],
  ])('is refused with %s', async (_, mint) => {
    setting.issuer.mint = mint;
    expect(await setting.signIn({ sub: 'forged' })).toMatchObject({ ...refused, failure: 'sign_in_refused' });
  });

  it('of one person never becomes the session of another', async () => {
    const [ada, eve] = [await setting.begin(), await setting.begin()];
    setting.issuer.claims = { sub: 'eve', nonce: eve.sentTo.searchParams.get('nonce') };
    // The code of eve in the browser of ada: the token has the nonce of eve.
    expect(await setting.comeBack(ada)).toMatchObject({ ...refused, failure: 'sign_in_refused' });
  });

  it('leaves no user behind when it is refused', async () => {
    const before = await setting.api.users.count();
    await setting.signIn({ sub: 'never', aud: 'other' });
    await expect(setting.api.users.count()).resolves.toBe(before);
  });
});

describe('the address to return to', () => {
  it.each(['/', '/dags/a?x=1#y', '/a//b'])('may be %s', (address) => {
    expect(readReturnAddress(address)).toBe(address);
  });

  it.each([
    ['an address of another server', 'https://evil.example.com'],
    ['one without scheme', '//evil.example.com'],
    ['one with a backslash', '/\\evil.example.com'],
    ['one with a tab', '/\t/evil.example.com'],
    ['one that its dots lead to', '/..//evil.example.com'],
    ['a script', 'javascript:alert(1)'],
    ['a name', 'dags'],
    ['nothing', ''],
    ['endless', `/${'x'.repeat(9000)}`],
    ['two', ['/', '//evil.example.com']],
  ])('may not be %s', (_, address) => {
    expect(() => readReturnAddress(address)).toThrow('must be a path of this server');
  });

  it('is refused before the attempt begins', async () => {
    const { sentTo, cookie } = await setting.begin('?return=%2F%2Fevil.example.com');
    expect({ answer: sentTo.search, cookie }).toEqual({ answer: '?status=400', cookie: '' });
  });

  it('is refused when it is too long for a cookie', async () => {
    const { sentTo, cookie } = await setting.begin(`?return=%2F${randomBytes(3000).toString('hex')}`);
    expect({ answer: sentTo.search, cookie }).toEqual({ answer: '?status=400', cookie: '' });
  });
});
