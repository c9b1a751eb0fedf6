import { diffLines } from './diff-lines';

const signs = { same: ' ', added: '+', removed: '-' } as const;
const show = (before: string, after: string): string =>
  diffLines(before, after)
    .map(({ kind, text }) => `${signs[kind]}${text}`)
    .join('|');

it.each([
  ['equal texts', 'a\nb', 'a\nb', ' a| b'],
  ['a changed line', 'a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
  ['an added line', 'a\nc', 'a\nb\nc', ' a|+b| c'],
  ['a removed line', 'a\nb\nc', 'a\nc', ' a|-b| c'],
  ['a line that was moved', 'a\nb\nc\nd', 'b\nc\na\nd', '-a| b| c|+a| d'],
  ['an empty text', '', 'a', '-|+a'],
])('shows %s', (_, before, after, expected) => {
  expect(show(before, after)).toBe(expected);
});

it('shows very long texts that differ everywhere as a whole', () => {
  const lines = (letter: string): string => Array.from({ length: 2100 }, (_, index) => `${letter}${index}`).join('\n');

  expect(diffLines(lines('a'), lines('b'))).toHaveLength(4200);
});
