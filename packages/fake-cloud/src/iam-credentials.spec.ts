import { cloudPlatformScope, middleAccount, targetAccount, useFakeCloud } from './testing/use-fake-cloud';
import { decodeClaims } from './verify-token';

const fixture = useFakeCloud();
const { keyClaims, start } = fixture;
const scope = cloudPlatformScope;

describe('access tokens', () => {
  it('live as long as requested, to the second', async () => {
    await start();

    const answer = await fixture.client.accessToken(await fixture.client.federatedToken());

    expect(answer).toMatchObject({ status: 200, body: { expireTime: '2026-11-21T12:10:00Z' } });
    expect(await fixture.client.buckets(String(answer.body.accessToken))).toMatchObject({
      status: 200,
      body: { items: [{ name: 'example-bucket' }] },
    });
  });

  it('can be requested by the unique id, and with an escaped email', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();

    for (const name of [fixture.cloud.account.uniqueId, encodeURIComponent(fixture.cloud.account.email)]) {
      expect(await fixture.client.iam('generateAccessToken', { scope: [scope] }, bearer, name)).toMatchObject({
        status: 200,
      });
    }
  });

  it.each([
    ['no scope', { scope: undefined }],
    ['an empty list of scopes', { scope: [] }],
    ['an empty scope', { scope: [''] }],
    ['a scope that is no list', { scope }],
    ['a lifetime without a unit', { lifetime: '600' }],
    ['a lifetime that is a number', { lifetime: 600 }],
    ['a lifetime of nothing', { lifetime: '0s' }],
    ['a lifetime over the maximum', { lifetime: '3601s' }],
    ['delegates that are no list', { delegates: middleAccount }],
    ['a delegate without the path', { delegates: [middleAccount] }],
    ['a field that is not known', { audience: 'x' }],
  ])('are refused for %s', async (_, changes) => {
    await start();

    expect(await fixture.client.accessToken(await fixture.client.federatedToken(), changes)).toMatchObject({
      status: 400,
      body: { error: { status: 'INVALID_ARGUMENT' } },
    });
  });

  it('live longer if the organization allows it', async () => {
    await start({ maximumLifetimeSeconds: 43_200 });
    const bearer = await fixture.client.federatedToken();

    expect(await fixture.client.accessToken(bearer, { lifetime: '43200s' })).toMatchObject({ status: 200 });
    expect(await fixture.client.accessToken(bearer, { lifetime: '43201s' })).toMatchObject({ status: 400 });
  });

  it('at the end of a chain require every link of it', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();
    const through = (...delegates: readonly string[]) =>
      fixture.client.iam(
        'generateAccessToken',
        { scope: [scope], delegates: delegates.map((name) => `projects/-/serviceAccounts/${name}`) },
        bearer,
        targetAccount,
      );

    expect(await through(fixture.cloud.account.email, middleAccount)).toMatchObject({ status: 200 });
    expect(await through(middleAccount)).toMatchObject({ status: 200 });
    expect(await through()).toMatchObject({ status: 403 });
    expect(await through(middleAccount, fixture.cloud.account.email)).toMatchObject({ status: 403 });
    expect(await through('nobody@example.com')).toMatchObject({ status: 404 });
  });

  it('are refused for an account, a path or a method that does not exist', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();

    expect(await fixture.client.iam('generateAccessToken', { scope: [scope] }, bearer, 'no@example.com')).toMatchObject(
      {
        status: 404,
      },
    );
    expect(await fixture.client.iam('makeToken', {}, bearer)).toMatchObject({ status: 404 });
    expect(
      await fixture.client.json(
        `${fixture.cloud.bases.iamcredentials}/v1/projects/mine/serviceAccounts/x:signJwt`,
        {},
        bearer,
      ),
    ).toMatchObject({ status: 404 });
  });
});

describe('the bearer', () => {
  it('must be issued by the cloud, with the scope, not expired and not revoked', async () => {
    await start();
    const oidc = String((await fixture.client.oidc()).body.value);
    const storageOnly = await fixture.client.federatedToken({
      scope: 'https://www.googleapis.com/auth/devstorage.read_only',
    });
    const revoked = await fixture.client.federatedToken();
    await fixture.client.form(`${fixture.cloud.bases.oauth2}/revoke`, { token: revoked });
    const late = await fixture.client.federatedToken();

    expect(await fixture.client.accessToken('made-up')).toMatchObject({ status: 401 });
    expect(await fixture.client.accessToken('')).toMatchObject({ status: 401 });
    expect(await fixture.client.accessToken(oidc)).toMatchObject({ status: 401 });
    expect(await fixture.client.accessToken(storageOnly)).toMatchObject({ status: 403 });
    expect(await fixture.client.accessToken(revoked)).toMatchObject({ status: 401 });
    expect(await fixture.client.accessToken(late)).toMatchObject({ status: 200 });
    fixture.clock.advance(300_000);
    expect(await fixture.client.accessToken(late)).toMatchObject({ status: 401 });
  });

  it('may be a token that the account signed for itself with its key', async () => {
    await start();

    expect(await fixture.client.accessToken(fixture.cloud.sign('exported', keyClaims()))).toMatchObject({
      status: 200,
    });
  });

  it.each([
    ['is for another audience', 'exported', { aud: 'https://oauth2.googleapis.com/token' }],
    ['expired', 'exported', { iat: 1, exp: 3600 }],
    ['lives longer than an hour', 'exported', { exp: 4_000_000_000 }],
    ['is for another account', 'exported', { sub: middleAccount }],
    ['is of an account that does not exist', 'exported', { iss: 'no@example.com' }],
    ['is signed by another key', 'stranger', {}],
  ] as const)('is refused when it signed itself and %s', async (_, key, changes) => {
    await start();

    expect(await fixture.client.accessToken(fixture.cloud.sign(key, keyClaims(changes)))).toMatchObject({
      status: 401,
    });
  });
});

describe('the locations a principal may be used from', () => {
  it('are returned to any holder of a token', async () => {
    await start();
    const url = `${fixture.cloud.bases.iamcredentials}/v1/projects/-/serviceAccounts/${fixture.cloud.account.email}/allowedLocations`;

    expect(await fixture.client.get(url, await fixture.client.federatedToken())).toMatchObject({
      status: 200,
      body: { encodedLocations: '0x0' },
    });
    expect(await fixture.client.get(url, 'made-up')).toMatchObject({ status: 401 });
    expect(await fixture.client.json(url, {})).toMatchObject({ status: 405 });
  });
});

describe('ID tokens', () => {
  it('name the account, with its email when asked to', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();

    const plain = await fixture.client.iam('generateIdToken', { audience: 'https://run.example' }, bearer);
    const withEmail = await fixture.client.iam('generateIdToken', { audience: 'a', includeEmail: true }, bearer);

    const claims = decodeClaims(String(plain.body.token));
    expect(claims).toMatchObject({ aud: 'https://run.example', sub: fixture.cloud.account.uniqueId });
    expect(claims).not.toHaveProperty('email');
    expect(decodeClaims(String(withEmail.body.token))).toMatchObject({
      email: fixture.cloud.account.email,
      email_verified: true,
    });
  });

  it('are refused without an audience, and for a flag that is a string', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();

    expect(await fixture.client.iam('generateIdToken', { includeEmail: true }, bearer)).toMatchObject({ status: 400 });
    expect(await fixture.client.iam('generateIdToken', { audience: 'a', includeEmail: 'true' }, bearer)).toMatchObject({
      status: 400,
    });
  });
});
