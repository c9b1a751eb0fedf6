import fc from 'fast-check';
import { RE2JS } from 're2js';
import { createPatternCheck } from './pattern-check';
import { patternSize } from './pattern-size';

describe('patternSize', () => {
  it.each([
    ['', 0, 0],
    ['abc', 3, 3],
    ['a{1000}', 1000, 3000],
    ['((a{10}){10}){10}', 1000, 5000],
    ['\\Q)\\E{500}', 500, 1500],
    ['(a\\Q)\\E{5}){100}', 500, 3000],
    ['(?i)a{500}', 500, 1500],
    ['a(?i){500}', 500, 1500],
    ['[(]{500}', 500, 1500],
    ['[]{9}()]{500}', 500, 1500],
    ['(?P<name>ab){300}', 600, 2500],
    ['[[:alpha:]\\pL]{10}', 500, 700],
    ['(((', 0, 5],
    [')))', 0, 10],
    ['a{999999999}', 999_999_999, Infinity],
  ])('of %j is between %d and %d', (pattern, least, most) => {
    const size = patternSize(pattern);
    expect(size).toBeGreaterThanOrEqual(least);
    expect(size).toBeLessThanOrEqual(most);
  });

  it('never underestimates the compiled size by much', () => {
    const piece = fc.constantFrom(
      'a',
      'bc',
      '.',
      '\\d',
      '\\pL',
      '[a-z]',
      '[^]x]',
      '(?:',
      '(',
      ')',
      '|',
      '*',
      '+?',
      '{3}',
      '{2,9}',
      '{7,}',
      '\\Q(\\E',
      '(?i)',
      '\\{',
      '^',
      '$',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const pattern = pieces.join('');
        const program = programSize(pattern);
        if (program !== undefined) expect(program).toBeLessThanOrEqual(3 * patternSize(pattern) + 20);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a check of the patterns of a file', () => {
  it.each([
    ['^[a-z]{2,8}-\\d+$', undefined],
    ['[', 'not a valid RE2 regular expression'],
    ['(?=a)', 'not a valid RE2 regular expression'],
    ['a'.repeat(1001), '1000 characters at most'],
    ['a{1000}'.repeat(9), 'parts at most'],
  ])('reports for %.20s %s', (pattern, problem) =>
    expect(createPatternCheck()(pattern)).toEqual(problem === undefined ? undefined : expect.stringContaining(problem)),
  );

  it('has a limit on their total size, and counts each pattern once', () => {
    const check = createPatternCheck(200);
    expect(['aa', 'aa', 'aa', 'aa', 'bb', 'cc'].map(check)).toEqual(Array.from({ length: 6 }, () => undefined));
    expect(check('dd')).toContain('too large in total');
    expect(check('aa')).toBeUndefined();
  });
});

function programSize(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    // An invalid pattern has no program.
    return undefined;
  }
}
