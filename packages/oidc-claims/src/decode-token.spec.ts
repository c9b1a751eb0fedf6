import { decodeClaimsUnverified, maxTokenBytes } from './decode-token';

const failure = (facts: object): Error => expect.objectContaining(facts) as Error;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('decodeClaimsUnverified', () => {
  it('reads header and claims of a token whose signature is worthless', () => {
    const token = `${encode({ alg: 'RS256', kid: 'k' })}.${encode({ sub: 's', exp: 1, run_id: 7 })}.AAAA`;
    expect(decodeClaimsUnverified(token)).toEqual({
      header: { alg: 'RS256', kid: 'k' },
      claims: { sub: 's', exp: 1, run_id: 7 },
    });
  });

  it.each([
    ['an empty text', ''],
    ['two parts', `${encode({})}.${encode({})}`],
    ['five parts', 'a.b.c.d.e'],
    ['claims that are a list', `${encode({ alg: 'RS256' })}.${encode([])}.AAAA`],
    ['claims that are not JSON', `${encode({ alg: 'RS256' })}.AAAA.AAAA`],
    ['other alphabets', 'é.é.é'],
  ])('refuses %s', (_case, token) => {
    expect(() => decodeClaimsUnverified(token)).toThrow(
      failure({ code: 'unauthenticated', reason: 'token_malformed' }),
    );
  });

  it('refuses a token over the size limit without decoding it', () => {
    expect(() => decodeClaimsUnverified('a'.repeat(maxTokenBytes + 1))).toThrow(failure({ reason: 'token_too_large' }));
  });
});
