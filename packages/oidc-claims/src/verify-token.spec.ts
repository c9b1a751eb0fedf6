import {
  base64url,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import { maxTokenBytes } from './decode-token';
import { verifyOidcToken, type VerifyOidcTokenOptions } from './verify-token';

const issuer = 'https://token.example.test';
const audience = 'weir';
const nowSeconds = 1_800_000_000;

let privateKey: CryptoKey;
let publicKey: CryptoKey;
let publicJwk: JWK;

beforeAll(async () => {
  ({ privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true }));
  publicJwk = { ...(await exportJWK(publicKey)), kid: 'first', use: 'sig', alg: 'RS256' };
});

const baseClaims = {
  iss: issuer,
  aud: audience,
  sub: 'repo:octo-org/octo-repo:ref:refs/heads/main',
  repository: 'octo-org/octo-repo',
  run_id: '12',
  iat: nowSeconds,
  nbf: nowSeconds - 10,
  exp: nowSeconds + 300,
};

interface Signing {
  readonly claims?: Record<string, unknown>;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly key?: CryptoKey | Uint8Array;
}

const sign = ({ claims = {}, header = {}, key = privateKey }: Signing = {}): Promise<string> =>
  new SignJWT({ ...baseClaims, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'first', typ: 'JWT', ...header })
    .sign(key);

const verify = (token: string, options: Partial<VerifyOidcTokenOptions> = {}) =>
  verifyOidcToken({
    token,
    issuer,
    audience,
    jwks: { keys: [publicJwk] },
    now: () => nowSeconds * 1000,
    ...options,
  } as VerifyOidcTokenOptions);

const failsWith = (reason: string, code = 'unauthenticated'): unknown => expect.objectContaining({ code, reason });

describe('verifyOidcToken', () => {
  it('returns the claims of a genuine token', async () => {
    await expect(verify(await sign())).resolves.toEqual(baseClaims);
  });

  it('accepts a token for several audiences that names one of ours', async () => {
    const token = await sign({ claims: { aud: ['other', 'weir'] } });
    await expect(verify(token, { audience: ['weir', 'weir-old'] })).resolves.toMatchObject({ run_id: '12' });
  });

  it('reads the real clock when none is given', async () => {
    const realNow = Math.floor(Date.now() / 1000);
    const token = await sign({ claims: { iat: realNow, nbf: realNow, exp: realNow + 300 } });
    const options = { token, issuer, audience, jwks: { keys: [publicJwk] } };
    await expect(verifyOidcToken(options)).resolves.toMatchObject({ iat: realNow });
  });

  it.each([
    ['issuer_mismatch', { iss: 'https://token.example.test/' }],
    ['audience_mismatch', { aud: 'weir2' }],
    ['audience_mismatch', { aud: [] }],
    ['token_expired', { exp: nowSeconds - 60 }],
    ['token_not_yet_valid', { nbf: nowSeconds + 61 }],
    ['token_issued_in_future', { iat: nowSeconds + 61 }],
    ['claim_missing', { exp: undefined }],
    ['claim_missing', { iat: undefined }],
    ['claim_missing', { sub: undefined }],
    ['claim_missing', { iss: undefined }],
    ['claim_missing', { aud: undefined }],
    ['claim_invalid', { exp: String(nowSeconds + 300) }],
    ['claim_invalid', { sub: '' }],
    ['claim_invalid', { run_id: 12 }],
  ])('refuses with %s a token with %j', async (reason, claims) => {
    await expect(verify(await sign({ claims }))).rejects.toEqual(failsWith(reason));
  });

  it.each([{ exp: nowSeconds - 59 }, { nbf: nowSeconds + 60 }, { iat: nowSeconds + 60 }])(
    'accepts %j within the default skew',
    async (claims) => {
      const token = await sign({ claims });
      await expect(verify(token)).resolves.toMatchObject(claims);
      await expect(verify(token, { clockSkewSeconds: 0 })).rejects.toEqual(
        expect.objectContaining({ code: 'unauthenticated' }),
      );
    },
  );
});

describe('verifyOidcToken on forged tokens', () => {
  it('refuses a changed payload', async () => {
    const [header = '', , signature = ''] = (await sign()).split('.');
    const payload = base64url.encode(JSON.stringify({ ...baseClaims, repository: 'evil/repo' }));
    await expect(verify(`${header}.${payload}.${signature}`)).rejects.toEqual(failsWith('signature_invalid'));
  });

  it('refuses the signature of another key under a known key id', async () => {
    const other = await generateKeyPair('RS256');
    await expect(verify(await sign({ key: other.privateKey }))).rejects.toEqual(failsWith('signature_invalid'));
  });

  it.each(['none', 'None', 'NONE'])('refuses the algorithm %s', async (alg) => {
    const header = base64url.encode(JSON.stringify({ alg, kid: 'first' }));
    const payload = base64url.encode(JSON.stringify(baseClaims));
    await expect(verify(`${header}.${payload}.`)).rejects.toEqual(failsWith('algorithm_not_allowed'));
  });

  it('refuses HS256 with the public key as the secret', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    const token = await sign({ header: { alg: 'HS256' }, key: secret });
    await expect(verify(token)).rejects.toEqual(failsWith('algorithm_not_allowed'));
  });

  it('refuses a key that travels in the token header', async () => {
    const other = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(other.publicKey);
    const token = await sign({ header: { jwk, kid: 'attacker' }, key: other.privateKey });
    await expect(verify(token)).rejects.toEqual(failsWith('signing_key_unknown'));
  });

  it('refuses an asymmetric algorithm that was not listed', async () => {
    const { privateKey: strongerKey } = await generateKeyPair('RS512');
    const token = await sign({ header: { alg: 'RS512' }, key: strongerKey });
    await expect(verify(token)).rejects.toEqual(failsWith('algorithm_not_allowed'));
  });

  it('refuses an algorithm other than the one the key is for', async () => {
    const { privateKey: psKey } = await generateKeyPair('PS256');
    const token = await sign({ header: { alg: 'PS256' }, key: psKey });
    await expect(verify(token, { algorithms: ['RS256', 'PS256'] })).rejects.toEqual(failsWith('signing_key_unknown'));
  });

  it('refuses a critical header it does not understand', async () => {
    const header = base64url.encode(JSON.stringify({ alg: 'RS256', kid: 'first', crit: ['x'], x: 1 }));
    const token = `${header}.${(await sign()).split('.').slice(1).join('.')}`;
    await expect(verify(token)).rejects.toEqual(failsWith('token_unsupported'));
  });

  it.each(['', 'abc', 'a.b.c', 'a.b.c.d.e', '..'])('refuses %p as malformed', async (token) => {
    await expect(verify(token)).rejects.toEqual(failsWith('token_malformed'));
  });

  it('refuses a token over the size limit', async () => {
    const token = await sign({ claims: { padding: 'x'.repeat(maxTokenBytes) } });
    await expect(verify(token)).rejects.toEqual(failsWith('token_too_large'));
  });

  it('refuses a token without key id when two keys fit', async () => {
    const token = await sign({ header: { kid: undefined } as never });
    const jwks = { keys: [publicJwk, { ...publicJwk, kid: 'second' }] };
    await expect(verify(token, { jwks })).rejects.toEqual(failsWith('signing_key_ambiguous'));
  });
});

describe('verifyOidcToken with other algorithms', () => {
  it.each(['ES256', 'EdDSA', 'PS256'] as const)('accepts %s when it is listed', async (alg) => {
    const pair = await generateKeyPair(alg, { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'first', alg }] };
    const token = await sign({ header: { alg }, key: pair.privateKey });
    await expect(verify(token, { jwks, algorithms: [alg] })).resolves.toMatchObject({ run_id: '12' });
  });
});

describe('verifyOidcToken with unusable options', () => {
  it.each([
    ['HS256 in the list', { algorithms: ['RS256', 'HS256'] }],
    ['none in the list', { algorithms: ['none'] }],
    ['an empty list', { algorithms: [] }],
    ['an empty issuer', { issuer: '' }],
    ['no audience', { audience: [] }],
    ['an empty audience', { audience: [''] }],
    ['a negative skew', { clockSkewSeconds: -1 }],
    ['a skew over five minutes', { clockSkewSeconds: 301 }],
    ['a skew that is no number', { clockSkewSeconds: Number.NaN }],
    ['a clock that gives no time', { now: () => Number.NaN }],
  ])('refuses %s', async (_case, options) => {
    const token = await sign();
    await expect(verify(token, options as Partial<VerifyOidcTokenOptions>)).rejects.toEqual(
      failsWith('options_invalid', 'internal'),
    );
  });

  it('refuses an invalid key set', async () => {
    await expect(verify(await sign(), { jwks: { keys: 'x' } as never })).rejects.toEqual(
      failsWith('jwks_invalid', 'upstream_failed'),
    );
  });

  it('refuses a key too weak for its algorithm', async () => {
    const jwks = { keys: [{ ...publicJwk, n: base64url.encode(new Uint8Array(64).fill(255)) }] };
    await expect(verify(await sign(), { jwks })).rejects.toEqual(failsWith('jwks_invalid', 'upstream_failed'));
  });
});
