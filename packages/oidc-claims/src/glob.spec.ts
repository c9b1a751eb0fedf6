import fc from 'fast-check';
import { matchesGlob } from './glob';

describe('matchesGlob', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'Main', false],
    ['main', 'main2', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'anything/at:all', true],
    ['refs/heads/*', 'refs/heads/a/b', true],
    ['refs/heads/*', 'refs/tags/a', false],
    ['*/release', 'team/release', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*ab*ab', 'abab', true],
    ['*ab*ab', 'ab', false],
    ['a**b', 'ab', true],
    ['*aab*', 'aaaab', true],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['?', 'a', false],
    ['a\\*', 'a\\x', true],
  ])('pattern %p on %p gives %p', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('agrees with a table-filling matcher on small alphabets', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 10 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 14 });
    fc.assert(
      fc.property(pattern, text, (globPattern, globText) => {
        expect(matchesGlob(globPattern, globText)).toBe(matchesByTable(globPattern, globText));
      }),
      { numRuns: 5000 },
    );
  });

  it('matches a text made from the pattern by filling its stars', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 6 }), fc.string(), (pieces, tail) => {
        const literal = (text: string) => text.replaceAll('*', '-');
        const pattern = pieces.map(([part]) => `${literal(part)}*`).join('') + literal(tail);
        const text = pieces.map(([part, filling]) => literal(part) + filling).join('') + literal(tail);
        expect(matchesGlob(pattern, text)).toBe(true);
      }),
    );
  });

  it('stays linear on a pattern made to backtrack', () => {
    const text = `${'a'.repeat(400_000)}c`;
    // A matcher that restarts the long part at each position compares 4e10 characters here.
    expect(matchesGlob(`*${'a'.repeat(200_000)}b*`, text)).toBe(false);
    expect(matchesGlob(`${'*a'.repeat(20_000)}*b*`, text)).toBe(false);
  });
});

function matchesByTable(pattern: string, text: string): boolean {
  let row = Array.from({ length: text.length + 1 }, (_, index) => index === 0);
  for (const unit of pattern) {
    const next: boolean[] = [];
    for (let index = 0; index <= text.length; index += 1) {
      const fits =
        unit === '*'
          ? (row[index] ?? false) || (index > 0 && (next[index - 1] ?? false))
          : index > 0 && text[index - 1] === unit && (row[index - 1] ?? false);
      next.push(fits);
    }
    row = next;
  }
  return row[text.length] ?? false;
}
