import path from 'node:path';
import fc from 'fast-check';
import { compileObjectGlob } from './object-glob';

const matches = (glob: string, key: string) => compileObjectGlob(`s3://bucket/${glob}`)?.matches(key);

describe('compileObjectGlob', () => {
  it.each([
    ['in/*.csv', 'in/', true],
    ['in/**', 'in/', false],
    ['in/2026-*/{a,b}/x.csv', 'in/2026-', false],
    ['in/{a,b/c}', 'in/', false],
    ['in/one (1).csv', 'in/one (1).csv', true],
  ])('knows what all keys of %s begin with', (glob, prefix, isFlat) => {
    expect(compileObjectGlob(`s3://bucket/${glob}`)).toMatchObject({ bucket: 'bucket', prefix, isFlat });
  });

  it.each([
    's3://bucket',
    's3://bucket/',
    's3:///in/*',
    's3://b*cket/in/*',
    's3://bucket/+(a|b)',
    's3://bucket/{1..9}',
    's3://bucket/[b-a]',
    `s3://bucket/${'{a,b}'.repeat(10)}`,
    'gs://bucket/in/*',
  ])('refuses %s', (text) => {
    expect(compileObjectGlob(text)).toBeUndefined();
  });

  it('matches as a path of a file is matched', () => {
    const tokens = ['*', '**', '?', '[ab]', '[!a]', '[a-c]', '{a,b}', '{a,.b/*}', 'a', 'b', '.', '/', '-'];
    const names = fc.array(fc.array(fc.constantFrom('a', 'b', '.', '-'), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    });
    const key = names
      .map((segments) => segments.map((each) => each.join('')).join('/'))
      // No path has these, but a key may.
      .filter((text) => !/(^|\/)\.{1,2}(\/|$)/.test(text));
    const glob = fc
      .array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''))
      .filter((text) => !/^\/|\/\/|\/$|(^|\/)\.{1,2}(\/|$)/.test(text));
    fc.assert(
      fc.property(glob, key, (text, found) => {
        expect([text, found, matches(text, found)]).toEqual([text, found, path.posix.matchesGlob(found, text)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not slowed down by a key that almost matches', () => {
    expect(matches('in/*-*-*-*-*-*.csv', `in/${'-'.repeat(1_000)}`)).toBe(false);
  });
});
