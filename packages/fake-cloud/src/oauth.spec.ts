import { cloudPlatformScope, jwtBearer, middleAccount, useFakeCloud } from './testing/use-fake-cloud';

const fixture = useFakeCloud();
const { delegationClaims, seconds, start } = fixture;
const scope = cloudPlatformScope;

describe('domain-wide delegation', () => {
  it('signs claims, and exchanges the assertion for a token of the user', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();

    const signed = await fixture.client.iam('signJwt', { payload: JSON.stringify(delegationClaims()) }, bearer);
    const token = await fixture.client.exchangeAssertion(String(signed.body.signedJwt));

    expect(token).toMatchObject({ status: 200, body: { expires_in: 3599, token_type: 'Bearer' } });
    expect(fixture.cloud.tokens.ofKind('access token')).toMatchObject([
      { principal: 'user@example.com', scopes: [scope] },
    ]);
    expect(await fixture.client.buckets(String(token.body.access_token))).toMatchObject({ status: 200 });
  });

  it('refuses a payload that is an object, not JSON, or a JSON string that contains JSON', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();

    for (const payload of [delegationClaims(), 'x', JSON.stringify(JSON.stringify(delegationClaims())), '[]']) {
      expect(await fixture.client.iam('signJwt', { payload }, bearer)).toMatchObject({ status: 400 });
    }
  });

  it('refuses to sign for longer than twelve hours', async () => {
    await start();
    const payload = JSON.stringify(delegationClaims({ exp: seconds() + 43_201 }));

    expect(await fixture.client.iam('signJwt', { payload }, await fixture.client.federatedToken())).toMatchObject({
      status: 400,
    });
  });

  it('accepts an assertion that is signed by the exported key, even without a subject', async () => {
    await start();

    expect(await fixture.client.exchangeAssertion(fixture.cloud.sign('exported', delegationClaims()))).toMatchObject({
      status: 200,
    });
    expect(
      await fixture.client.exchangeAssertion(fixture.cloud.sign('exported', delegationClaims({ sub: undefined }))),
    ).toMatchObject({
      status: 200,
    });
    expect(fixture.cloud.tokens.ofKind('access token').map(({ principal }) => principal)).toEqual([
      'user@example.com',
      fixture.cloud.account.email,
    ]);
  });

  it.each([
    ['a string of claims in place of claims', 'exported', 'text', 400],
    ['another audience', 'exported', { aud: 'https://iamcredentials.googleapis.com/' }, 400],
    ['an account that does not exist', 'exported', { iss: 'no@example.com' }, 400],
    ['another key', 'stranger', {}, 400],
    ['more than an hour', 'exported', { exp: 4_000_000_000 }, 400],
    ['no times', 'exported', { iat: undefined, sub: undefined }, 400],
    ['a time in the future', 'exported', { iat: 3_999_999_000, exp: 4_000_000_000, sub: undefined }, 400],
    ['no scope', 'exported', { scope: undefined }, 400],
    ['a user who cannot be impersonated', 'exported', { sub: 'boss@example.com' }, 401],
  ] as const)('refuses an assertion with %s', async (_, key, changes, status) => {
    await start();
    const claims = changes === 'text' ? JSON.stringify(delegationClaims()) : delegationClaims(changes);

    expect(await fixture.client.exchangeAssertion(fixture.cloud.sign(key, claims))).toMatchObject({ status });
  });

  it('refuses an assertion that was signed for another account', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();

    const signed = await fixture.client.iam(
      'signJwt',
      { payload: JSON.stringify(delegationClaims({ iss: middleAccount })) },
      bearer,
    );

    expect(await fixture.client.exchangeAssertion(String(signed.body.signedJwt))).toMatchObject({ status: 400 });
  });

  it('refuses another grant and a missing assertion', async () => {
    await start();
    const url = `${fixture.cloud.bases.oauth2}/token`;

    expect(await fixture.client.form(url, { grant_type: 'refresh_token' })).toMatchObject({ status: 400 });
    expect(await fixture.client.form(url, { grant_type: jwtBearer })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect(await fixture.client.json(url, {})).toMatchObject({ status: 400 });
  });
});

describe('an assertion that names no key', () => {
  it('is accepted if one of the keys of the account signed it, even at the address of older clients', async () => {
    await start();
    const nameless = { kid: undefined };
    const claims = delegationClaims({ aud: 'https://www.googleapis.com/oauth2/v4/token' });
    const redeem = (assertion: string) =>
      fixture.client.form(`${fixture.cloud.bases.www}/oauth2/v4/token`, { grant_type: jwtBearer, assertion });

    expect(await redeem(fixture.cloud.sign('exported', claims, nameless))).toMatchObject({ status: 200 });
    expect(await redeem(fixture.cloud.sign('stranger', claims, nameless))).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('signature_invalid') as unknown },
    });
  });
});
