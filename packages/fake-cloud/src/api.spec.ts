import { cloudPlatformScope, middleAccount, targetAccount, useFakeCloud } from './testing/use-fake-cloud';

const fixture = useFakeCloud();
const { keyClaims, start } = fixture;
const scope = cloudPlatformScope;

describe('the access of a token', () => {
  it('ends when it is revoked', async () => {
    await start();
    const token = String((await fixture.client.accessToken(await fixture.client.federatedToken())).body.accessToken);
    const revoke = () => fixture.client.form(`${fixture.cloud.bases.oauth2}/revoke`, { token });

    expect(await revoke()).toMatchObject({ status: 200 });
    expect(await fixture.client.buckets(token)).toMatchObject({ status: 401 });
    expect(await revoke()).toMatchObject({ status: 400, body: { error: 'invalid_token' } });
  });

  it('ends with its expiry, and depends on its scope', async () => {
    await start();
    const bearer = await fixture.client.federatedToken();
    const token = String((await fixture.client.accessToken(bearer)).body.accessToken);
    const other = String(
      (await fixture.client.accessToken(bearer, { scope: ['https://www.googleapis.com/auth/iam'] })).body.accessToken,
    );

    expect(await fixture.client.buckets(other)).toMatchObject({ status: 403 });
    expect(await fixture.client.get(`${fixture.cloud.bases.cloudresourcemanager}/v1/projects/12`, other)).toMatchObject(
      {
        body: { projectId: 'example-project', projectNumber: '12' },
      },
    );
    fixture.clock.advance(600_000);
    expect(await fixture.client.buckets(token)).toMatchObject({ status: 401 });
    expect(await fixture.client.buckets('made-up')).toMatchObject({ status: 401 });
  });
});

describe('a bearer that an account signed for itself', () => {
  const ownClaims = (changes: Readonly<Record<string, unknown>>) => keyClaims({ aud: undefined, ...changes });
  const storageApi = 'https://storage.googleapis.com/';

  it.each([
    ['with the scope', { scope }, 200],
    ['for the API', { aud: storageApi }, 200],
    ['for another API', { aud: 'https://iamcredentials.googleapis.com/' }, 401],
    ['with another scope', { scope: 'https://www.googleapis.com/auth/iam' }, 403],
    ['for nothing', {}, 401],
    ['for another account', { scope, sub: targetAccount }, 401],
    ['of no account', { scope, iss: 'no@example.com', sub: 'no@example.com' }, 401],
    ['for more than an hour', { scope, exp: 4_000_000_000 }, 401],
    ['for the past', { scope, iat: 1, exp: 3600 }, 401],
  ] as const)('%s is answered as expected', async (_, changes, status) => {
    await start();

    expect(await fixture.client.buckets(fixture.cloud.sign('exported', ownClaims(changes)))).toMatchObject({ status });
  });

  it('is not accepted if signed by an unknown key, or with another name or algorithm', async () => {
    await start();
    const claims = ownClaims({ scope });

    expect(await fixture.client.buckets(fixture.cloud.sign('stranger', claims, { kid: undefined }))).toMatchObject({
      status: 401,
    });
    expect(await fixture.client.buckets(fixture.cloud.sign('exported', claims, { kid: 'other' }))).toMatchObject({
      status: 401,
    });
    expect(await fixture.client.buckets(fixture.cloud.sign('exported', claims, { alg: 'none' }))).toMatchObject({
      status: 401,
    });
  });
});

describe('service-account keys', () => {
  it('have the format of the cloud, and are secret', async () => {
    await start({ universe: 'cloud.example' });

    const key = fixture.cloud.serviceAccountKey(middleAccount);

    expect(key).toMatchObject({
      type: 'service_account',
      client_email: middleAccount,
      private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/) as unknown,
      token_uri: 'https://oauth2.cloud.example/token',
      universe_domain: 'cloud.example',
    });
    expect(fixture.cloud.tokens.leaks(key.private_key.split('\n')[3] ?? '')).toEqual(['<private key 1>']);
    expect(() => fixture.cloud.serviceAccountKey('no@example.com')).toThrow(/no account/);
  });
});
