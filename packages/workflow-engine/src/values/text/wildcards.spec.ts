import { matchesWildcards } from './wildcards';

it.each([
  ['a.txt', '*.txt', true],
  ['a.txt', '*', true],
  ['a.txt', '?.t?t', true],
  ['a.txt', 'a', false],
  ['', '', true],
  ['', '**', true],
  ['', '?', false],
  ['abcabd', '*abd', true],
  ['a+b', 'a+b', true],
  ['aab', 'a*c', false],
])('%s fits %s: %s', (name, pattern, fits) => {
  expect(matchesWildcards(name, pattern)).toBe(fits);
});

it('matches a pattern made to take long without delay', () => {
  expect(matchesWildcards('a'.repeat(255), `${'*a'.repeat(100)}b`)).toBe(false);
});
