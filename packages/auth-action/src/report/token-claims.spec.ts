import { readExpiryClaim } from './token-claims';

const encodeToken = (claims: object): string =>
  [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.AAAA';

describe('expiryClaimOf', () => {
  it.each([
    ['the moment of its claim', encodeToken({ exp: 1_798_761_600 }), new Date('2027-01-01T00:00:00Z')],
    ['nothing for another token', 'ya29.opaque', undefined],
    ['nothing where there is no claim', encodeToken({}), undefined],
    ['nothing for a claim that is no moment', encodeToken({ exp: 1e300 }), undefined],
  ])('reads %s', (_case, token, moment) => {
    expect(readExpiryClaim(token)).toEqual(moment);
  });
});
