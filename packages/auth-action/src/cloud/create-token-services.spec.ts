import { createTokenServices } from './create-token-services';
import { replying, type LoopbackServer, type Reply } from './testing/loopback-server';
import { useLoopbackServers } from './testing/replies';
import { aTransport } from './testing/transport-rig';

const now = Date.parse('2026-01-01T00:00:00.500Z');
const provider = 'projects/123/locations/global/workloadIdentityPools/pool/providers/ci';
const account = 'deployer@my-project.iam.gserviceaccount.com';

interface Rig {
  readonly server: LoopbackServer;
  readonly masked: string[];
  readonly waits: readonly number[];
  readonly services: ReturnType<typeof createTokenServices>;
}

describe('createTokenServices', () => {
  const serve = useLoopbackServers();

  const start = async (reply: Reply, env?: Readonly<Record<string, string>>): Promise<Rig> => {
    const server = await serve(reply);
    const masked: string[] = [];
    const { transport, waits } = aTransport();
    const services = createTokenServices({
      oidcSource: { kind: 'runner' },
      runtime: {
        env: env ?? {
          ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/oidc?api-version=2.0&audience=old`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
        },
        mask: (secret) => masked.push(secret),
      },
      endpoints: { sts: server.url, iamCredentials: `${server.url}/iam`, oauth2: `${server.url}/oauth2` },
      transport,
      now: () => now,
    });
    return { server, masked, waits, services };
  };

  const exchange = ({ services }: Rig) => services.exchange({ audience: 'https://a b/&c', provider, scope: 'all' });

  /** Issues OIDC tokens, and responds to token exchanges in order. */
  const respondToExchange = (...answers: readonly (readonly [number, unknown])[]): Reply => {
    let oidcTokens = 0;
    let exchanges = 0;
    return (response, request) => {
      if (request.method === 'GET') {
        oidcTokens += 1;
        response.end(JSON.stringify({ value: `oidc-${oidcTokens}` }));
        return;
      }
      exchanges += 1;
      replying(...answers)(response, request, exchanges);
    };
  };
  const readBody = ({ server }: Rig, index = -1) => JSON.parse(server.requests.at(index)?.body ?? '') as unknown;

  describe('exchange', () => {
    it('requests an OIDC token for the audience and exchanges it', async () => {
      const rig = await start(respondToExchange([200, { access_token: 'federated', expires_in: 3599 }]));

      expect(await exchange(rig)).toEqual({
        token: 'federated',
        expiresAt: new Date('2026-01-01T00:59:59.500Z'),
      });
      expect(rig.server.requests[0]).toMatchObject({
        path: '/oidc?api-version=2.0&audience=https%3A%2F%2Fa+b%2F%26c',
        headers: { authorization: 'Bearer request-token' },
      });
      expect(rig.server.requests[1]).toMatchObject({
        path: '/v1/token',
        headers: { 'content-type': 'application/json' },
      });
      expect(rig.server.requests[1]?.headers).not.toHaveProperty('authorization');
      expect(readBody(rig)).toEqual({
        audience: `//iam.googleapis.com/${provider}`,
        grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requestedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
        scope: 'all',
        subjectTokenType: 'urn:ietf:params:oauth:token-type:jwt',
        subjectToken: 'oidc-1',
      });
    });

    it('masks every token and retains the OIDC token for its claims', async () => {
      const rig = await start(respondToExchange([200, { access_token: 'federated' }]));
      expect(rig.services.oidcToken).toBeUndefined();

      expect(await exchange(rig)).toEqual({ token: 'federated', expiresAt: undefined });
      expect(rig.masked).toEqual(['request-token', 'oidc-1', 'federated']);
      expect(rig.services.oidcToken).toBe('oidc-1');
    });

    it.each(['The token is expired.', 'ID token issued in the future', 'Token is stale to sign-in.', 'not yet valid'])(
      'exchanges a fresh token once when the old one was refused: %s',
      async (description) => {
        const stale = { error: 'invalid_grant', error_description: description };
        const rig = await start(respondToExchange([400, stale], [200, { access_token: 'federated' }]));

        await expect(exchange(rig)).resolves.toMatchObject({ token: 'federated' });
        expect(readBody(rig)).toMatchObject({ subjectToken: 'oidc-2' });
        expect(rig.services.oidcToken).toBe('oidc-2');
        expect(rig.waits).toEqual([1000]);
      },
    );

    it('gives up when the fresh token is refused too', async () => {
      const stale = { error: 'invalid_grant', error_description: 'The token is expired.' };
      const rig = await start(respondToExchange([400, stale]));

      await expect(exchange(rig)).rejects.toMatchObject({ reason: 'sts_refused', details: { status: 400 } });
      expect(rig.server.requests).toHaveLength(4);
    });

    it.each([
      [400, { error: 'invalid_grant', error_description: 'The audience does not match.' }],
      [400, { error: 'invalid_target', error_description: 'The provider expired.' }],
      [401, { error: 'invalid_grant', error_description: 'expired' }],
      [400, { error: 'invalid_grant' }],
    ])('does not exchange again after %i %j', async (status, refusal) => {
      const rig = await start(respondToExchange([status, refusal]));

      await expect(exchange(rig)).rejects.toMatchObject({ reason: 'sts_refused' });
      expect(rig.server.requests).toHaveLength(2);
    });

    it('names the issuer when it refuses', async () => {
      const rig = await start(replying([401, { message: 'No request-token for you.' }]));

      await expect(exchange(rig)).rejects.toMatchObject({
        code: 'unauthenticated',
        reason: 'oidc_refused',
        details: { description: 'No *** for you.' },
      });
    });

    it.each([
      [{}],
      [{ ACTIONS_ID_TOKEN_REQUEST_URL: 'https://localhost/' }],
      [{ ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x', ACTIONS_ID_TOKEN_REQUEST_URL: '' }],
    ])('reports that the job lacks the permission with %j', async (env) => {
      await expect(exchange(await start(replying([200, {}]), env))).rejects.toMatchObject({
        code: 'forbidden',
        reason: 'id_token_permission_missing',
      });
    });

    it('refuses an invalid address from the runner', async () => {
      const env = { ACTIONS_ID_TOKEN_REQUEST_URL: 'nowhere', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' };

      await expect(exchange(await start(replying([200, {}]), env))).rejects.toMatchObject({ reason: 'address_unsafe' });
    });

    it.each([[{}], [{ value: '' }], [{ value: 7 }], [{ value: 'two\nlines' }], [[]], [null]])(
      'does not repeat an answer without a token: %j',
      async (answer) => {
        const rig = await start(replying([200, answer]));

        await expect(exchange(rig)).rejects.toMatchObject({
          reason: 'answer_malformed',
          message: expect.stringContaining('has no token in "value"') as string,
        });
        expect(rig.server.requests).toHaveLength(1);
      },
    );

    it.each([['soon'], [null], [{}], [-1], [1e300]])('refuses expires_in %j', async (seconds) => {
      const rig = await start(respondToExchange([200, { access_token: 'x', expires_in: seconds }]));

      await expect(exchange(rig)).rejects.toMatchObject({ reason: 'answer_malformed' });
      expect(rig.masked).toContain('x');
    });
  });

  describe('generateAccessToken', () => {
    const request = { serviceAccount: account, lifetimeSeconds: 7200, scopes: ['a', 'b'], delegates: [] };

    it('requests account, lifetime and scopes with the bearer token', async () => {
      const rig = await start(replying([200, { accessToken: 'granted', expireTime: '2026-01-01T02:00:00Z' }]));

      expect(await rig.services.generateAccessToken(request, 'bearer')).toEqual({
        token: 'granted',
        expiresAt: new Date('2026-01-01T02:00:00Z'),
      });
      expect(rig.server.requests[0]).toMatchObject({
        path: `/iam/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
        headers: { authorization: 'Bearer bearer' },
      });
      expect(readBody(rig)).toEqual({ scope: ['a', 'b'], lifetime: '7200s' });
      expect(rig.masked).toEqual(['bearer', 'granted']);
    });

    it('sends the chain of delegates by canonical names', async () => {
      const rig = await start(replying([200, { accessToken: 'granted' }]));
      const delegates = ['a@b.iam.gserviceaccount.com', 'projects/-/serviceAccounts/123'];

      expect(await rig.services.generateAccessToken({ ...request, delegates }, 'bearer')).toEqual({
        token: 'granted',
        expiresAt: undefined,
      });
      expect(readBody(rig)).toMatchObject({
        delegates: ['projects/-/serviceAccounts/a@b.iam.gserviceaccount.com', 'projects/-/serviceAccounts/123'],
      });
    });

    it('encodes an account as one path segment', async () => {
      const rig = await start(replying([200, { accessToken: 'granted' }]));
      await rig.services.generateAccessToken({ ...request, serviceAccount: '../x?y#z' }, 'bearer');

      expect(rig.server.requests[0]?.path).toContain('/serviceAccounts/..%2Fx%3Fy%23z:generateAccessToken');
    });

    it.each([['soon'], [null], [12]])('refuses expireTime %j', async (expireTime) => {
      const rig = await start(replying([200, { accessToken: 'granted', expireTime }]));

      await expect(rig.services.generateAccessToken(request, 'bearer')).rejects.toMatchObject({
        reason: 'answer_malformed',
      });
      expect(rig.masked).toContain('granted');
    });

    it('names the missing permission', async () => {
      const details = [{ '@type': 'type.test/Help' }, { reason: 'IAM_PERMISSION_DENIED' }];
      const error = { code: 403, message: 'Permission denied.', status: 'PERMISSION_DENIED', details };
      const rig = await start(replying([403, { error }]));

      await expect(rig.services.generateAccessToken(request, 'bearer')).rejects.toMatchObject({
        code: 'forbidden',
        reason: 'iam_refused',
        details: {
          kind: 'generateAccessToken',
          googleReason: 'IAM_PERMISSION_DENIED',
          description: 'Permission denied.',
        },
      });
    });
  });

  it('generates an ID token', async () => {
    const rig = await start(replying([200, { token: 'the-id-token' }]));
    const request = { serviceAccount: account, audience: 'https://app', includeEmail: true, delegates: ['1'] };

    expect(await rig.services.generateIdToken(request, 'bearer')).toEqual({
      token: 'the-id-token',
      expiresAt: undefined,
    });
    expect(rig.server.requests[0]?.path).toBe(`/iam/v1/projects/-/serviceAccounts/${account}:generateIdToken`);
    expect(readBody(rig)).toEqual({
      audience: 'https://app',
      includeEmail: true,
      delegates: ['projects/-/serviceAccounts/1'],
    });
    expect(rig.masked).toEqual(['bearer', 'the-id-token']);
  });

  it('sends claims to be signed in the cloud as an object that was serialised once', async () => {
    const rig = await start(replying([200, { signedJwt: 'a.b.c' }]));
    const claims = { sub: 'user@example.test', iat: 1 };

    expect(await rig.services.signJwt({ serviceAccount: account, claims, delegates: ['1'] }, 'bearer')).toBe('a.b.c');
    expect(readBody(rig)).toEqual({ payload: JSON.stringify(claims), delegates: ['projects/-/serviceAccounts/1'] });
    expect(rig.masked).toEqual(['bearer', 'a.b.c']);
  });

  it('exchanges an assertion, which it masks before it is sent', async () => {
    const rig: Rig = await start((response, request) => {
      replying([200, { access_token: rig.masked.join(), expires_in: 3599 }])(response, request, 1);
    });

    expect(await rig.services.exchangeAssertion('a.b.c')).toEqual({
      token: 'a.b.c',
      expiresAt: new Date('2026-01-01T00:59:59.500Z'),
    });
    expect(rig.server.requests[0]).toMatchObject({
      path: '/oauth2/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c',
    });
  });

  it('masks a bearer token once', async () => {
    const rig = await start(replying([200, { signedJwt: 'x' }]));
    await rig.services.signJwt({ serviceAccount: account, claims: {}, delegates: [] }, 'bearer');
    await rig.services.signJwt({ serviceAccount: account, claims: {}, delegates: [] }, 'bearer');

    expect(rig.masked).toEqual(['bearer', 'x']);
  });
});
