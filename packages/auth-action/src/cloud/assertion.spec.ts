import { createVerify, generateKeyPairSync } from 'node:crypto';
import { aTinyKey } from '../testing/tiny-key';
import { delegationClaims, selfSignedClaims, signAssertion } from './assertion';

const now = Date.parse('2026-01-01T00:00:00.500Z');
const account = 'deployer@my-project.iam.gserviceaccount.com';

describe('signAssertion', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { privateKey, privateKeyId: 'key-1' };
  const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as unknown;

  it('signs the claims as an object with RS256', () => {
    const claims = selfSignedClaims({ clientEmail: account, universe: 'googleapis.com', now });
    const [header, payload, signature] = signAssertion(key, claims).split('.');

    expect(decode(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    expect(decode(payload)).toEqual(claims);
    expect(
      createVerify('RSA-SHA256')
        .update(`${header}.${payload}`)
        .verify(publicKey, signature ?? '', 'base64url'),
    ).toBe(true);
  });

  it('fails for a key that is too short to sign', () => {
    const tooShort = { privateKey: aTinyKey(), privateKeyId: 'key-2' };

    expect(() => signAssertion(tooShort, {})).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        reason: 'key_unusable',
        message: expect.stringContaining('Input credentials_json has a private_key that cannot sign') as string,
        details: {
          problems: [{ input: 'credentials_json', reason: 'key_unusable', message: expect.any(String) as string }],
        },
      }) as Error,
    );
  });

  it('is valid for the credentials service of the universe and one hour, slightly backdated', () => {
    expect(selfSignedClaims({ clientEmail: account, universe: 'example.test', now })).toEqual({
      iss: account,
      sub: account,
      aud: 'https://iamcredentials.example.test/',
      iat: now / 1000 - 30.5,
      exp: now / 1000 - 30.5 + 3600,
    });
  });

  it.each([
    [600, 600],
    [3600, 3570],
    [43_200, 3570],
  ])('ends a delegation of %i seconds after %i, so that it never spans more than an hour', (lifetimeSeconds, age) => {
    const subject = 'user@example.test';
    const second = Math.floor(now / 1000);

    expect(
      delegationClaims({
        serviceAccount: account,
        subject,
        scopes: ['a', 'b'],
        lifetimeSeconds,
        now,
      }),
    ).toEqual({
      iss: account,
      sub: subject,
      aud: 'https://oauth2.googleapis.com/token',
      scope: 'a b',
      iat: second - 30,
      exp: second + age,
    });
  });
});
