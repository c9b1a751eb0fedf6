import { createManualClock } from '@weir/test-kit';
import { createFakeCloudClient } from './testing/fake-cloud-client';
import type { FakeCloud, FakeCloudOptions } from './fake-cloud';
import { startFakeCloud } from './start-fake-cloud';
import { decodeClaims } from './verify-token';

let cloud: FakeCloud;

const clock = createManualClock('2026-11-21T12:00:00Z');
const nowSeconds = clock.nowMs() / 1000;

async function start(options: FakeCloudOptions = {}) {
  cloud = await startFakeCloud({ now: clock.nowMs, ...options });
  return createFakeCloudClient(cloud);
}

const jobClaims = (changes: Readonly<Record<string, unknown>> = {}) => ({
  iss: cloud.issuer,
  aud: `https://iam.googleapis.com/${cloud.provider}`,
  sub: 'repo:a/b:ref:refs/heads/main',
  iat: nowSeconds,
  exp: nowSeconds + 300,
  ...changes,
});

const refusal = (error: string, words: RegExp) => ({
  status: 400,
  body: { error, error_description: expect.stringMatching(words) as unknown },
});

afterEach(() => cloud.stop());

describe('the issuer', () => {
  it('returns a token for the audience, with the claims of the job', async () => {
    const client = await start({ claims: { event_name: 'pull_request', environment: 'production', actor: undefined } });

    const { status, body } = await client.oidc('some audience/&?');

    expect(status).toBe(200);
    const claims = decodeClaims(String(body.value));
    expect(claims).toMatchObject({
      iss: cloud.issuer,
      aud: 'some audience/&?',
      event_name: 'pull_request',
      environment: 'production',
      repository: 'example-org/example-repo',
      iat: nowSeconds,
      exp: nowSeconds + 300,
    });
    expect(claims).not.toHaveProperty('actor');
  });

  it('returns every claim that GitHub documents for a job of an enterprise without an environment', async () => {
    const { documentedClaims } = await import('@weir/oidc-claims/docs');
    const client = await start();

    const { body } = await client.oidc('x');

    const ofOtherJobs = ['environment', 'environment_node_id', 'repo_property_*'];
    const documented = [...documentedClaims().keys()].filter((claim) => !ofOtherJobs.includes(claim));
    expect(Object.keys(decodeClaims(String(body.value))).toSorted()).toEqual(documented.toSorted());
  });

  it('refuses a request token that it did not issue', async () => {
    const client = await start();

    expect(await client.oidc('x', 'made-up')).toMatchObject({ status: 401 });
  });

  it('refuses two audiences, and anything but GET', async () => {
    const client = await start();

    expect(await client.oidc('a&audience=b')).toMatchObject({ status: 200 });
    const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = cloud.env;
    expect(await client.get(`${url}&audience=a&audience=b`, token)).toMatchObject({ status: 400 });
    expect(await client.json(url, {}, token)).toMatchObject({ status: 405 });
  });

  it('publishes its key, and the address of the key', async () => {
    const client = await start();

    const keys = await client.get(`${cloud.bases.issuer}/.well-known/jwks`, 'x');
    const document = await client.get(`${cloud.bases.issuer}/.well-known/openid-configuration`, 'x');

    expect(keys.body).toMatchObject({ keys: [{ kty: 'RSA', alg: 'RS256' }] });
    expect(keys.body.keys).not.toMatchObject([{ d: expect.anything() as unknown }]);
    expect(document.body).toMatchObject({ issuer: cloud.issuer, jwks_uri: `${cloud.issuer}/.well-known/jwks` });
  });

  it('returns other claims when configured to', async () => {
    const client = await start();
    cloud.setClaims({ sub: 'repo:a/b:pull_request' });

    expect(decodeClaims(String((await client.oidc()).body.value))).toMatchObject({ sub: 'repo:a/b:pull_request' });
  });
});

describe('the exchange', () => {
  it('returns a federated token that lives as long as the token of the job', async () => {
    const client = await start();
    const { body } = await client.oidc();

    expect(await client.exchange(String(body.value))).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringContaining('federated-token') as unknown,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 300,
      },
    });
  });

  it('accepts a form with names in snake_case', async () => {
    const client = await start();
    const fields = {
      audience: `//iam.googleapis.com/${cloud.provider}`,
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      scope: 'openid https://www.googleapis.com/auth/cloud-platform',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      subject_token: cloud.sign('issuer', jobClaims()),
    };

    expect(await client.form(`${cloud.bases.sts}/v1/token`, fields)).toMatchObject({ status: 200 });
    expect(await client.json(`${cloud.bases.sts}/v1/token`, fields)).toMatchObject({ status: 400 });
    expect(await client.form(`${cloud.bases.sts}/v1/token`, { ...fields, grantType: 'x' })).toMatchObject({
      status: 400,
    });
  });

  it.each([
    ['another grant type', { grantType: 'client_credentials' }, 'unsupported_grant_type'],
    ['another requested type', { requestedTokenType: 'jwt' }, 'invalid_request'],
    ['another subject type', { subjectTokenType: 'jwt' }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an empty scope', { scope: '' }, 'invalid_scope'],
    ['a scope that is no address', { scope: 'cloud-platform' }, 'invalid_scope'],
    ['no subject token', { subjectToken: undefined }, 'invalid_request'],
    ['an audience without slashes', { audience: 'iam.googleapis.com/projects/1' }, 'invalid_request'],
    [
      'a pool as audience',
      { audience: '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/ci-pool' },
      'invalid_request',
    ],
    [
      'a project id in the audience',
      {
        audience:
          '//iam.googleapis.com/projects/example-project/locations/global/workloadIdentityPools/ci-pool/providers/ci-provider',
      },
      'invalid_request',
    ],
    [
      'a provider that does not exist',
      {
        audience:
          '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/ci-pool/providers/other',
      },
      'invalid_target',
    ],
  ])('refuses %s', async (_, changes, error) => {
    const client = await start();

    expect(await client.exchange(cloud.sign('issuer', jobClaims()), changes)).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  it('returns the identity of a token, until it is revoked', async () => {
    const client = await start();
    const token = await client.federatedToken();
    const introspect = () => client.form(`${cloud.bases.sts}/v1/introspect`, { token });

    const before = await introspect();
    await client.form(`${cloud.bases.sts}/v1/revoke`, { token });

    expect(before.body).toMatchObject({
      active: true,
      username: expect.stringMatching(/^principal:.*:refs/) as unknown,
    });
    expect((await introspect()).body).toEqual({ active: false });
  });
});

describe('an exchange', () => {
  it('is refused for an unknown field, a body that is not an object and one that is neither JSON nor form', async () => {
    const client = await start();
    const url = `${cloud.bases.sts}/v1/token`;

    expect(await client.exchange('x', { lifetime: 1 })).toMatchObject({ status: 400 });
    expect(await client.json(url, [])).toMatchObject({ status: 400 });
    expect(await client.request(url, { method: 'POST', body: 'grant_type=x' })).toMatchObject({ status: 400 });
    expect(await client.request(url, { method: 'POST', body: new URLSearchParams('scope=a&scope=b') })).toMatchObject({
      status: 400,
    });
    expect(await client.get(url, 'x')).toMatchObject({ status: 405 });
  });
});

describe('the subject token', () => {
  it.each([
    ['for another audience', { aud: 'somebody' }, /audience/],
    ['of another issuer', { iss: 'https://other.example' }, /issuer/],
    ['that expired', { exp: nowSeconds - 6 }, /expired/],
    ['from the future', { iat: nowSeconds + 60 }, /in the future/],
    ['that is not valid yet', { nbf: nowSeconds + 60 }, /in the future/],
    ['without an expiry', { exp: undefined }, /claim_missing/],
  ])('refuses a token %s', async (_, changes, words) => {
    const client = await start();

    const answer = await client.exchange(cloud.sign('issuer', jobClaims(changes)));

    expect(answer).toMatchObject(refusal('invalid_grant', words));
  });

  it('refuses a token that is signed by an unknown key, unsigned or invalid', async () => {
    const client = await start();
    const good = cloud.sign('issuer', jobClaims());
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1] ?? ''}.`;

    for (const token of [cloud.sign('stranger', jobClaims()), unsigned, 'x']) {
      expect(await client.exchange(token)).toMatchObject(refusal('invalid_grant', /not valid/));
    }
  });

  it('refuses a subject of more than 127 bytes', async () => {
    const client = await start();

    expect(await client.exchange(cloud.sign('issuer', jobClaims({ sub: 'é'.repeat(63) })))).toMatchObject({
      status: 200,
    });
    expect(await client.exchange(cloud.sign('issuer', jobClaims({ sub: 'é'.repeat(64) })))).toMatchObject(
      refusal('invalid_request', /127/),
    );
  });

  it('evaluates the attribute condition', async () => {
    const client = await start({ attributeCondition: ({ sub }) => sub !== 'repo:a/b:ref:refs/heads/main' });

    expect(await client.exchange(cloud.sign('issuer', jobClaims()))).toMatchObject({
      status: 403,
      body: { error: 'unauthorized_client' },
    });
  });

  it('accepts only the allowed audiences when there are some', async () => {
    const client = await start({ allowedAudiences: ['mine'] });

    expect(await client.exchange(cloud.sign('issuer', jobClaims({ aud: 'mine' })))).toMatchObject({ status: 200 });
    expect(await client.exchange(cloud.sign('issuer', jobClaims()))).toMatchObject({ status: 400 });
  });

  it('names providers identically in every universe, without a host of its own', async () => {
    const client = await start({ universe: 'cloud.example' });
    const audience = `//iam.cloud.example/${cloud.provider}`;

    expect(await client.exchange(cloud.sign('issuer', jobClaims()))).toMatchObject({ status: 200 });
    expect(await client.exchange(cloud.sign('issuer', jobClaims()), { audience })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

describe('the transcript', () => {
  it('shows requests and their results, with names in place of secrets', async () => {
    const client = await start();
    const federated = await client.federatedToken();
    await client.accessToken(federated, { lifetime: '7200s' });
    await client.exchangeAssertion('not.a.token-of-anybody');
    await client.get(`${cloud.url}/nowhere`, 'somebody-s-bearer');

    const shown = JSON.stringify(cloud.requests);
    expect(cloud.tokens.leaks(shown)).toEqual([]);
    expect(cloud.requests.map(({ service, outcome }) => `${service} ${outcome}`)).toEqual([
      'oidc 200',
      'sts 200',
      'iam 400',
      'oauth 400',
      'none 404',
    ]);
    expect(cloud.requests[0]).toMatchObject({
      method: 'GET',
      host: '127.0.0.1',
      path: `/oidc/token?api-version=2.0&audience=https://iam.googleapis.com/${cloud.provider}`,
      headers: { authorization: 'Bearer <request token 1>' },
      body: undefined,
    });
    expect(cloud.requests[1]).toMatchObject({ path: '/v1/token', body: { subjectToken: '<oidc token 1>' } });
    expect(cloud.requests[2]).toMatchObject({
      headers: { authorization: 'Bearer <federated token 1>', 'content-type': 'application/json' },
      body: { lifetime: '7200s' },
    });
    expect(cloud.requests[3]).toMatchObject({ body: { assertion: '<foreign token 1>' } });
    expect(cloud.requests[4]).toMatchObject({ headers: { authorization: 'Bearer <foreign bearer 1>' } });
  });
});
