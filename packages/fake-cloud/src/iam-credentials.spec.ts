import { createManualClock } from '@weir/test-kit';
import { createFakeCloudClient } from './testing/fake-cloud-client';
import type { FakeCloud, FakeCloudOptions } from './fake-cloud';
import { startFakeCloud } from './start-fake-cloud';
import { decodeClaims } from './verify-token';

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const middle = 'middle@example-project.iam.gserviceaccount.com';
const target = 'target@example-project.iam.gserviceaccount.com';

let cloud: FakeCloud;
let client: ReturnType<typeof createFakeCloudClient>;
let clock: ReturnType<typeof createManualClock>;

async function start(options: FakeCloudOptions = {}): Promise<void> {
  clock = createManualClock('2026-11-21T12:00:00.789Z');
  cloud = await startFakeCloud({ now: clock.nowMs, ...options });
  client = createFakeCloudClient(cloud);
}

const seconds = () => Math.floor(clock.nowMs() / 1000);

const keyClaims = (changes: Readonly<Record<string, unknown>> = {}) => ({
  iss: cloud.account.email,
  sub: cloud.account.email,
  aud: 'https://iamcredentials.googleapis.com/',
  iat: seconds(),
  exp: seconds() + 3599,
  ...changes,
});

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const delegationClaims = (changes: Readonly<Record<string, unknown>> = {}) => ({
  iss: cloud.account.email,
  sub: 'user@example.com',
  aud: 'https://oauth2.googleapis.com/token',
  scope,
  iat: seconds(),
  exp: seconds() + 3600,
  ...changes,
});

afterEach(() => cloud.stop());

describe('access tokens', () => {
  it('live as long as was asked for, told to the second', async () => {
    await start();

    const answer = await client.accessToken(await client.federatedToken());

    expect(answer).toMatchObject({ status: 200, body: { expireTime: '2026-11-21T12:10:00Z' } });
    expect(await client.buckets(String(answer.body.accessToken))).toMatchObject({
      status: 200,
      body: { items: [{ name: 'example-bucket' }] },
    });
  });

  it('can be had by the unique id, and with an escaped email', async () => {
    await start();
    const bearer = await client.federatedToken();

    for (const name of [cloud.account.uniqueId, encodeURIComponent(cloud.account.email)]) {
      expect(await client.iam('generateAccessToken', { scope: [scope] }, bearer, name)).toMatchObject({ status: 200 });
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
    ['delegates that are no list', { delegates: middle }],
    ['a delegate without the path', { delegates: [middle] }],
    ['a field that is not known', { audience: 'x' }],
  ])('are refused for %s', async (_, changes) => {
    await start();

    expect(await client.accessToken(await client.federatedToken(), changes)).toMatchObject({
      status: 400,
      body: { error: { status: 'INVALID_ARGUMENT' } },
    });
  });

  it('live longer where the organization allows it', async () => {
    await start({ maximumLifetimeSeconds: 43_200 });
    const bearer = await client.federatedToken();

    expect(await client.accessToken(bearer, { lifetime: '43200s' })).toMatchObject({ status: 200 });
    expect(await client.accessToken(bearer, { lifetime: '43201s' })).toMatchObject({ status: 400 });
  });

  it('of the end of a chain need every link of it', async () => {
    await start();
    const bearer = await client.federatedToken();
    const through = (...delegates: readonly string[]) =>
      client.iam(
        'generateAccessToken',
        { scope: [scope], delegates: delegates.map((name) => `projects/-/serviceAccounts/${name}`) },
        bearer,
        target,
      );

    expect(await through(cloud.account.email, middle)).toMatchObject({ status: 200 });
    expect(await through(middle)).toMatchObject({ status: 200 });
    expect(await through()).toMatchObject({ status: 403 });
    expect(await through(middle, cloud.account.email)).toMatchObject({ status: 403 });
    expect(await through('nobody@example.com')).toMatchObject({ status: 404 });
  });

  it('are refused for an account, a path or a method that does not exist', async () => {
    await start();
    const bearer = await client.federatedToken();

    expect(await client.iam('generateAccessToken', { scope: [scope] }, bearer, 'no@example.com')).toMatchObject({
      status: 404,
    });
    expect(await client.iam('makeToken', {}, bearer)).toMatchObject({ status: 404 });
    expect(
      await client.json(`${cloud.bases.iamcredentials}/v1/projects/mine/serviceAccounts/x:signJwt`, {}, bearer),
    ).toMatchObject({ status: 404 });
  });
});

describe('the bearer', () => {
  it('must be one that the cloud gave, with the scope, in time and not revoked', async () => {
    await start();
    const oidc = String((await client.oidc()).body.value);
    const storageOnly = await client.federatedToken({ scope: 'https://www.googleapis.com/auth/devstorage.read_only' });
    const revoked = await client.federatedToken();
    await client.form(`${cloud.bases.oauth2}/revoke`, { token: revoked });
    const late = await client.federatedToken();

    expect(await client.accessToken('made-up')).toMatchObject({ status: 401 });
    expect(await client.accessToken('')).toMatchObject({ status: 401 });
    expect(await client.accessToken(oidc)).toMatchObject({ status: 401 });
    expect(await client.accessToken(storageOnly)).toMatchObject({ status: 403 });
    expect(await client.accessToken(revoked)).toMatchObject({ status: 401 });
    expect(await client.accessToken(late)).toMatchObject({ status: 200 });
    clock.advance(300_000);
    expect(await client.accessToken(late)).toMatchObject({ status: 401 });
  });

  it('may be a token that the account signed for itself with its key', async () => {
    await start();

    expect(await client.accessToken(cloud.sign('exported', keyClaims()))).toMatchObject({ status: 200 });
  });

  it.each([
    ['is for another audience', 'exported', { aud: 'https://oauth2.googleapis.com/token' }],
    ['expired', 'exported', { iat: 1, exp: 3600 }],
    ['lives longer than an hour', 'exported', { exp: 4_000_000_000 }],
    ['is for somebody else', 'exported', { sub: middle }],
    ['is of an account that does not exist', 'exported', { iss: 'no@example.com' }],
    ['is signed by another key', 'stranger', {}],
  ] as const)('is refused when it signed itself and %s', async (_, key, changes) => {
    await start();

    expect(await client.accessToken(cloud.sign(key, keyClaims(changes)))).toMatchObject({ status: 401 });
  });
});

describe('the locations a principal may be used from', () => {
  it('are told to whoever has a token', async () => {
    await start();
    const url = `${cloud.bases.iamcredentials}/v1/projects/-/serviceAccounts/${cloud.account.email}/allowedLocations`;

    expect(await client.get(url, await client.federatedToken())).toMatchObject({
      status: 200,
      body: { encodedLocations: '0x0' },
    });
    expect(await client.get(url, 'made-up')).toMatchObject({ status: 401 });
    expect(await client.json(url, {})).toMatchObject({ status: 405 });
  });
});

describe('ID tokens', () => {
  it('name the account, with its email when asked to', async () => {
    await start();
    const bearer = await client.federatedToken();

    const plain = await client.iam('generateIdToken', { audience: 'https://run.example' }, bearer);
    const withEmail = await client.iam('generateIdToken', { audience: 'a', includeEmail: true }, bearer);

    const claims = decodeClaims(String(plain.body.token));
    expect(claims).toMatchObject({ aud: 'https://run.example', sub: cloud.account.uniqueId });
    expect(claims).not.toHaveProperty('email');
    expect(decodeClaims(String(withEmail.body.token))).toMatchObject({
      email: cloud.account.email,
      email_verified: true,
    });
  });

  it('are refused without an audience, and for a flag that is a text', async () => {
    await start();
    const bearer = await client.federatedToken();

    expect(await client.iam('generateIdToken', { includeEmail: true }, bearer)).toMatchObject({ status: 400 });
    expect(await client.iam('generateIdToken', { audience: 'a', includeEmail: 'true' }, bearer)).toMatchObject({
      status: 400,
    });
  });
});

describe('domain-wide delegation', () => {
  it('signs claims, and trades the assertion for a token of the user', async () => {
    await start();
    const bearer = await client.federatedToken();

    const signed = await client.iam('signJwt', { payload: JSON.stringify(delegationClaims()) }, bearer);
    const token = await client.exchangeAssertion(String(signed.body.signedJwt));

    expect(token).toMatchObject({ status: 200, body: { expires_in: 3599, token_type: 'Bearer' } });
    expect(cloud.tokens.ofKind('access token')).toMatchObject([{ principal: 'user@example.com', scopes: [scope] }]);
    expect(await client.buckets(String(token.body.access_token))).toMatchObject({ status: 200 });
  });

  it('refuses a payload that is an object, no JSON, or a JSON text that holds JSON', async () => {
    await start();
    const bearer = await client.federatedToken();

    for (const payload of [delegationClaims(), 'x', JSON.stringify(JSON.stringify(delegationClaims())), '[]']) {
      expect(await client.iam('signJwt', { payload }, bearer)).toMatchObject({ status: 400 });
    }
  });

  it('refuses to sign for longer than twelve hours', async () => {
    await start();
    const payload = JSON.stringify(delegationClaims({ exp: seconds() + 43_201 }));

    expect(await client.iam('signJwt', { payload }, await client.federatedToken())).toMatchObject({ status: 400 });
  });

  it('takes an assertion that is signed by the exported key, also without a subject', async () => {
    await start();

    expect(await client.exchangeAssertion(cloud.sign('exported', delegationClaims()))).toMatchObject({ status: 200 });
    expect(await client.exchangeAssertion(cloud.sign('exported', delegationClaims({ sub: undefined })))).toMatchObject({
      status: 200,
    });
    expect(cloud.tokens.ofKind('access token').map(({ principal }) => principal)).toEqual([
      'user@example.com',
      cloud.account.email,
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
    ['a user nobody may act as', 'exported', { sub: 'boss@example.com' }, 401],
  ] as const)('refuses an assertion with %s', async (_, key, changes, status) => {
    await start();
    const claims = changes === 'text' ? JSON.stringify(delegationClaims()) : delegationClaims(changes);

    expect(await client.exchangeAssertion(cloud.sign(key, claims))).toMatchObject({ status });
  });

  it('refuses an assertion that was signed for another account', async () => {
    await start();
    const bearer = await client.federatedToken();

    const signed = await client.iam('signJwt', { payload: JSON.stringify(delegationClaims({ iss: middle })) }, bearer);

    expect(await client.exchangeAssertion(String(signed.body.signedJwt))).toMatchObject({ status: 400 });
  });

  it('refuses another grant and a missing assertion', async () => {
    await start();
    const url = `${cloud.bases.oauth2}/token`;

    expect(await client.form(url, { grant_type: 'refresh_token' })).toMatchObject({ status: 400 });
    expect(await client.form(url, { grant_type: jwtBearer })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect(await client.json(url, {})).toMatchObject({ status: 400 });
  });
});

describe('an assertion that names no key', () => {
  it('is taken if one of the keys of the account signed it, also where older clients send it', async () => {
    await start();
    const nameless = { kid: undefined };
    const claims = delegationClaims({ aud: 'https://www.googleapis.com/oauth2/v4/token' });
    const redeem = (assertion: string) =>
      client.form(`${cloud.bases.www}/oauth2/v4/token`, { grant_type: jwtBearer, assertion });

    expect(await redeem(cloud.sign('exported', claims, nameless))).toMatchObject({ status: 200 });
    expect(await redeem(cloud.sign('stranger', claims, nameless))).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('signature_invalid') as unknown },
    });
  });
});

describe('what a token is good for', () => {
  it('ends when it is revoked', async () => {
    await start();
    const token = String((await client.accessToken(await client.federatedToken())).body.accessToken);
    const revoke = () => client.form(`${cloud.bases.oauth2}/revoke`, { token });

    expect(await revoke()).toMatchObject({ status: 200 });
    expect(await client.buckets(token)).toMatchObject({ status: 401 });
    expect(await revoke()).toMatchObject({ status: 400, body: { error: 'invalid_token' } });
  });

  it('ends with its time, and depends on its scope', async () => {
    await start();
    const bearer = await client.federatedToken();
    const token = String((await client.accessToken(bearer)).body.accessToken);
    const other = String(
      (await client.accessToken(bearer, { scope: ['https://www.googleapis.com/auth/iam'] })).body.accessToken,
    );

    expect(await client.buckets(other)).toMatchObject({ status: 403 });
    expect(await client.get(`${cloud.bases.cloudresourcemanager}/v1/projects/12`, other)).toMatchObject({
      body: { projectId: 'example-project', projectNumber: '12' },
    });
    clock.advance(600_000);
    expect(await client.buckets(token)).toMatchObject({ status: 401 });
    expect(await client.buckets('made-up')).toMatchObject({ status: 401 });
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
    ['for another account', { scope, sub: target }, 401],
    ['of no account', { scope, iss: 'no@example.com', sub: 'no@example.com' }, 401],
    ['for more than an hour', { scope, exp: 4_000_000_000 }, 401],
    ['for the past', { scope, iat: 1, exp: 3600 }, 401],
  ] as const)('%s is answered as it should be', async (_, changes, status) => {
    await start();

    expect(await client.buckets(cloud.sign('exported', ownClaims(changes)))).toMatchObject({ status });
  });

  it('is none when a stranger signed it, or by another name or algorithm', async () => {
    await start();
    const claims = ownClaims({ scope });

    expect(await client.buckets(cloud.sign('stranger', claims, { kid: undefined }))).toMatchObject({ status: 401 });
    expect(await client.buckets(cloud.sign('exported', claims, { kid: 'other' }))).toMatchObject({ status: 401 });
    expect(await client.buckets(cloud.sign('exported', claims, { alg: 'none' }))).toMatchObject({ status: 401 });
  });
});

describe('service-account keys', () => {
  it('are as the cloud exports them, and secret', async () => {
    await start({ universe: 'cloud.example' });

    const key = cloud.serviceAccountKey(middle);

    expect(key).toMatchObject({
      type: 'service_account',
      client_email: middle,
      private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/) as unknown,
      token_uri: 'https://oauth2.cloud.example/token',
      universe_domain: 'cloud.example',
    });
    expect(cloud.tokens.leaks(key.private_key.split('\n')[3] ?? '')).toEqual(['<private key 1>']);
    expect(() => cloud.serviceAccountKey('no@example.com')).toThrow(/no account/);
  });
});
