import fc from 'fast-check';
import { canonicalJson } from './canonical-json';

describe('canonicalJson', () => {
  it.each([
    ['keys in another order', '{"a":1,"b":[true,null]}', ' { "b" : [ true , null ] , "a" : 1 } '],
    ['keys that look like numbers', '{"b":1,"10":2}', '{"10":2,"b":1}'],
    ['a number with a fraction of zero', '{"a":1.0}', '{"a":1}'],
    ['a number with an exponent', '[1500, 0.5, -0.0]', '[15e2, 5E-1, 0]'],
    ['escapes', '"\\u00e9\\/"', '"é/"'],
    ['a repeated key', '{"a":1,"a":2}', '{"a":2}'],
  ])('is the same with %s', (_case, left, right) => {
    expect(canonicalJson(left)).toBe(canonicalJson(right));
    expect(canonicalJson(left)).toBeDefined();
  });

  it.each([
    ['digits beyond 2^53', '9007199254740993', '9007199254740992'],
    ['a string and a number', '"1"', '1'],
    ['items in another order', '[1,2]', '[2,1]'],
    ['a sign', '-1', '1'],
    ['a power of ten', '10', '1'],
  ])('differs for %s', (_case, left, right) => {
    expect(canonicalJson(left)).not.toBe(canonicalJson(right));
  });

  it.each(['', '{', '{"a":1', '{"a" 1}', '{a:1}', '[1,]', '01', '1.', '"a', '"\n"', 'nul', '1 2', '{"a":1}}', 'NaN'])(
    'is undefined for %j, which is not JSON',
    (text) => {
      expect(canonicalJson(text)).toBeUndefined();
    },
  );

  it('is undefined for values nested too deeply, and does not exhaust the stack', () => {
    expect(canonicalJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeUndefined();
  });

  it('is undefined for an exponent that would be expensive to compute', () => {
    expect(canonicalJson(`1e${'9'.repeat(1_000_000)}`)).toBeUndefined();
    expect(canonicalJson('1e99999999999999999999')).toBeDefined();
  });

  it('reads the same JSON as the platform, and copies of it equally', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value);
        expect(canonicalJson(text)).toBeDefined();
        expect(canonicalJson(JSON.stringify(value, null, indent))).toBe(canonicalJson(text));
      }),
    );
  });

  it('refuses the same JSON as the platform', () => {
    const pieces = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', '-', '0', '.', 'e', 'true', ' '));
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        expect(canonicalJson(text) !== undefined).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
