import fc from 'fast-check';
import { matchesName } from './match-name';

describe('matchesName', () => {
  it.each([
    ['a.b', 'a.b', true],
    ['a.b', 'a.bc', false],
    ['a.*', 'a.', true],
    ['a.*', 'b.a.', false],
    ['*.created', 'order.created', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*', '', true],
    ['**', 'x', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesName(pattern, text)).toBe(expected);
  });

  it('agrees with the expression that it stands for', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 });
    fc.assert(
      fc.property(short, short, (pattern, text) => {
        const parts = pattern.split('*').map((part) => part.replaceAll('.', String.raw`\.`));
        expect(matchesName(pattern, text)).toBe(new RegExp(`^${parts.join('.*')}$`).test(text));
      }),
    );
  });
});
