import { mergeTexts } from './merge-texts';

const base = 'a\nb\nc\nd\ne\nf\ng\n';

it('brings changes of different lines together', () => {
  expect(mergeTexts(base, 'A\nb\nc\nd\ne\nf\ng\n', 'a\nb\nc\nd\ne\nf\nG\n')).toEqual({
    text: 'A\nb\nc\nd\ne\nf\nG\n',
    conflicts: 0,
  });
});

it('keeps ours where both changed the same lines, and says so', () => {
  expect(mergeTexts(base, 'a\nB1\nc\nd\ne\nf\ng\n', 'a\nB2\nc\nd\ne\nf\nG\n')).toEqual({
    text: 'a\nB1\nc\nd\ne\nf\nG\n',
    conflicts: 1,
  });
});

it('takes a change that both have made once', () => {
  expect(mergeTexts('a\nb\n', 'a\nx\n', 'a\nx\n')).toEqual({ text: 'a\nx\n', conflicts: 0 });
});

it('joins what was added at the end without a line break, and what was deleted', () => {
  expect(mergeTexts('a\nb\nc\nd', 'a\nb\nc\nd\ne', 'b\nc\nd')).toEqual({ text: 'b\nc\nd\ne', conflicts: 0 });
});
