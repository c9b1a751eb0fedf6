import { mergeTexts } from './merge-texts';

const base = 'a\nb\nc\nd\ne\nf\ng\n';

it('merges changes of different lines', () => {
  expect(mergeTexts(base, 'A\nb\nc\nd\ne\nf\ng\n', 'a\nb\nc\nd\ne\nf\nG\n')).toEqual({
    text: 'A\nb\nc\nd\ne\nf\nG\n',
    conflicts: 0,
  });
});

it('keeps our change where both changed the same lines, and reports it', () => {
  expect(mergeTexts(base, 'a\nB1\nc\nd\ne\nf\ng\n', 'a\nB2\nc\nd\ne\nf\nG\n')).toEqual({
    text: 'a\nB1\nc\nd\ne\nf\nG\n',
    conflicts: 1,
  });
});

it('applies a change that both have made once', () => {
  expect(mergeTexts('a\nb\n', 'a\nx\n', 'a\nx\n')).toEqual({ text: 'a\nx\n', conflicts: 0 });
});

it('merges additions at the end without a line break, and deletions', () => {
  expect(mergeTexts('a\nb\nc\nd', 'a\nb\nc\nd\ne', 'b\nc\nd')).toEqual({ text: 'b\nc\nd\ne', conflicts: 0 });
});
