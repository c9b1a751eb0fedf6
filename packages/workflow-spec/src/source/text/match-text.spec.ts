import { matchesOutput, matchesExpected } from './match-text';

describe('matchesExpected', () => {
  it.each([
    ['abc', 'abc', true],
    ['b', 'abc', false],
    ['re:b', 'abc', true],
    ['re:^b', 'abc', false],
    ['re:(', 'abc', undefined],
    [`re:${'a'.repeat(1_001)}`, 'abc', undefined],
    ['re:((a{99}){99}){99}', 'abc', undefined],
  ])('of %s and %s is %s', (expected, text, answer) => {
    expect(matchesExpected(expected, text)).toBe(answer);
  });
});

describe('matchesOutput', () => {
  it.each([
    ['to do', 'nothing to do here', true],
    ['re:^second$', 'first\nsecond\nthird', true],
    ['re:^econd', 'first\nsecond', false],
    ['re:(', '(', false],
  ])('of %s in %j is %s', (pattern, output, answer) => {
    expect(matchesOutput(pattern, output)).toBe(answer);
  });
});
