import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { createRemoteJwks, type FetchJson, type RemoteJwksOptions } from './remote-jwks';
import { verifyOidcToken } from './verify-token';

const issuer = 'https://token.example.test';
const nowSeconds = 1_800_000_000;

interface TestKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function aKey(kid: string): Promise<TestKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

const aToken = ({ kid, privateKey }: TestKey, header: Record<string, unknown> = {}): Promise<string> =>
  new SignJWT({ iss: issuer, aud: 'weir', sub: 's', iat: nowSeconds, exp: nowSeconds + 300 })
    .setProtectedHeader({ alg: 'RS256', kid, ...header })
    .sign(privateKey);

let first: TestKey;
let second: TestKey;
let server: Server;
let url: string;
let requests: number;
let answer: RequestListener;

const answerKeys =
  (...keys: TestKey[]): RequestListener =>
  (_req, res) =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: keys.map((key) => key.jwk) }));

beforeAll(async () => {
  [first, second] = await Promise.all([aKey('first'), aKey('second')]);
});

beforeEach(async () => {
  requests = 0;
  answer = answerKeys(first);
  server = createServer((req, res) => {
    requests += 1;
    answer(req, res);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const aSource = (options: Partial<RemoteJwksOptions> = {}) => createRemoteJwks({ url, fetch, ...options });

const verify = (token: string, fetchJwks = aSource(), signal?: AbortSignal) =>
  verifyOidcToken({
    token,
    issuer,
    audience: 'weir',
    fetchJwks,
    now: () => nowSeconds * 1000,
    ...(signal === undefined ? {} : { signal }),
  });

const failsWith = (code: string, reason: string): unknown => expect.objectContaining({ code, reason });

describe('createRemoteJwks', () => {
  it('fetches the keys once for many tokens', async () => {
    const source = aSource();
    const token = await aToken(first);
    await Promise.all([verify(token, source), verify(token, source), verify(token, source)]);
    await verify(token, source);
    expect(requests).toBe(1);
  });

  it('accepts a rotated key after fetching again', async () => {
    const source = aSource({ cooldownSeconds: 0 });
    await verify(await aToken(first), source);
    answer = answerKeys(first, second);
    await expect(verify(await aToken(second), source)).resolves.toMatchObject({ sub: 's' });
    expect(requests).toBe(2);
  });

  it('stops accepting a withdrawn key when the cache is over', async () => {
    const source = aSource({ cacheMaxAgeSeconds: 0 });
    const token = await aToken(first);
    await verify(token, source);
    answer = answerKeys(second);
    await expect(verify(token, source)).rejects.toEqual(failsWith('unauthenticated', 'signing_key_unknown'));
  });

  it('does not fetch again for unknown key ids during the cool-down', async () => {
    const source = aSource({ cooldownSeconds: 600 });
    await verify(await aToken(first), source);
    for (const kid of ['a', 'b', 'c']) {
      const token = await aToken(first, { kid });
      await expect(verify(token, source)).rejects.toEqual(failsWith('unauthenticated', 'signing_key_unknown'));
    }
    expect(requests).toBe(1);
  });

  it('fetches no keys when the algorithm is not allowed', async () => {
    const token = await new SignJWT({ iss: issuer })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(new Uint8Array(32));
    await expect(verify(token)).rejects.toEqual(failsWith('unauthenticated', 'algorithm_not_allowed'));
    expect(requests).toBe(0);
  });

  it('recovers from a failed fetch with the next token', async () => {
    const source = aSource();
    const token = await aToken(first);
    answer = (_req, res) => res.writeHead(503).end('down');
    await expect(verify(token, source)).rejects.toEqual(failsWith('upstream_failed', 'jwks_unavailable'));
    answer = answerKeys(first);
    await expect(verify(token, source)).resolves.toMatchObject({ sub: 's' });
  });

  it('does not follow a redirect', async () => {
    answer = (req, res) => {
      if (req.url === '/jwks') res.writeHead(302, { location: '/elsewhere' }).end();
      else answerKeys(first)(req, res);
    };
    await expect(verify(await aToken(first))).rejects.toEqual(failsWith('upstream_failed', 'jwks_unavailable'));
    expect(requests).toBe(1);
  });

  it.each([
    ['text that is not JSON', '<html>'],
    ['JSON that is no key set', '{"keys":[1]}'],
    ['an empty body', ''],
  ])('refuses %s', async (_case, body) => {
    answer = (_req, res) => res.end(body);
    await expect(verify(await aToken(first))).rejects.toEqual(failsWith('upstream_failed', 'jwks_invalid'));
  });

  it('stops reading an endless answer at the size limit', async () => {
    let closed: Promise<unknown> | undefined;
    answer = (_req, res) => {
      closed = once(res, 'close');
      const pump = () => {
        while (!res.destroyed && res.write(' '.repeat(16_384)));
        if (!res.destroyed) res.once('drain', pump);
      };
      pump();
    };
    const source = aSource({ maxResponseBytes: 100_000 });
    await expect(verify(await aToken(first), source)).rejects.toEqual(failsWith('upstream_failed', 'jwks_too_large'));
    await closed;
  });

  it('gives up on an answer whose body never ends', async () => {
    answer = (_req, res) => res.write('{"keys":');
    const source = aSource({ timeoutMs: 50 });
    await expect(verify(await aToken(first), source)).rejects.toEqual(failsWith('upstream_timeout', 'jwks_timeout'));
  });

  it('gives up on a fetch that ignores its signal', async () => {
    const deaf: FetchJson = () => new Promise(() => undefined);
    const source = aSource({ fetch: deaf, timeoutMs: 50 });
    await expect(verify(await aToken(first), source)).rejects.toEqual(failsWith('upstream_timeout', 'jwks_timeout'));
  });

  it('reports an issuer that refuses connections', async () => {
    server.close();
    await once(server, 'close');
    await expect(verify(await aToken(first))).rejects.toEqual(failsWith('upstream_failed', 'jwks_unavailable'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  it('ends the wait when the caller gives up', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    await expect(verify(await aToken(first), aSource(), controller.signal)).rejects.toEqual(
      failsWith('unavailable', 'verification_cancelled'),
    );
  });

  it.each<Partial<RemoteJwksOptions>>([
    { maxResponseBytes: Number.NaN },
    { timeoutMs: -1 },
    { cooldownSeconds: 0.5 },
    { cacheMaxAgeSeconds: Infinity },
  ])('refuses the limit %j', (options) => {
    expect(() => aSource(options)).toThrow(failsWith('internal', 'options_invalid') as Error);
  });

  it.each([
    'http://token.example.test/jwks',
    'ftp://127.0.0.1/jwks',
    'file:///jwks',
    'jwks',
    'http://127.0.0.1.example/',
  ])('refuses the address %s', (address) => {
    expect(() => createRemoteJwks({ url: address, fetch })).toThrow(failsWith('internal', 'options_invalid') as Error);
  });
});
