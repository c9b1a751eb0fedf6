import { findMatches } from './find-matches';

const content = ['one', 'Two', 'three', 'four', 'five two', 'six'].join('\n');

describe('findMatches', () => {
  it('finds lines case-insensitively, with the lines around them', () => {
    expect(findMatches(content, 'TWO', { afterLine: 0, limit: 5 })).toEqual({
      matches: [
        { line: 'one\nTwo\nthree\nfour', lineNumber: 2, startLine: 1 },
        { line: 'three\nfour\nfive two\nsix', lineNumber: 5, startLine: 3 },
      ],
      hasMore: false,
    });
  });

  it('continues after a line, and returns whether there are more', () => {
    expect(findMatches(content, 'two', { afterLine: 0, limit: 1 })).toMatchObject({
      matches: [{ lineNumber: 2 }],
      hasMore: true,
    });
    expect(findMatches(content, 'two', { afterLine: 2, limit: 1 })).toMatchObject({
      matches: [{ lineNumber: 5 }],
      hasMore: false,
    });
  });

  it('searches for the literal text', () => {
    expect(findMatches(content, 't.o', { afterLine: 0, limit: 5 }).matches).toEqual([]);
  });
});
