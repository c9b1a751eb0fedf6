import { compareWithRender } from './compare-with-render';

const texts = new Map([
  [1, 'a'],
  [2, 'b'],
  [3, 'ab'],
  [4, 'c'],
  [90, '<start>'],
  [91, '<end>'],
]);

const compare = (ids: readonly number[], sampled: readonly number[], rendered: readonly number[]) =>
  compareWithRender({
    ids: Int32Array.from(ids),
    sampled: Uint8Array.from(sampled),
    rendered: Int32Array.from(rendered),
    isControl: (id) => id >= 90,
    toText: (part) => Array.from(part, (id) => texts.get(id) ?? '').join(''),
  });

const none = { template: 0, retokenised: 0, other: 0 };

describe('compareWithRender', () => {
  it.each([
    ['nothing for equal paths', [90, 1, 91], [0, 1, 1], [90, 1, 91], none, undefined],
    ['other ids of the same text', [90, 1, 2, 91], [0, 1, 1, 1], [90, 3, 91], { ...none, retokenised: 1 }, 1],
    ['another text of an answer', [90, 4, 1, 91], [0, 0, 1, 1], [90, 4, 2, 91], { ...none, other: 1 }, 1],
    ['another text before an answer', [90, 4, 1, 91], [0, 0, 1, 1], [90, 2, 1, 91], { ...none, template: 1 }, 1],
    ['another text where nothing was sampled', [90, 4, 91], [0, 0, 0], [90, 2, 91], { ...none, template: 1 }, 1],
    ['other control tokens', [90, 1, 90, 1], [0, 1, 0, 1], [90, 1, 91, 2], { ...none, template: 1 }, 1],
    ['fewer control tokens', [90, 1, 91, 1], [0, 1, 1, 1], [90, 1], { ...none, template: 1 }, 1],
    ['nothing behind the last sampled token', [90, 1, 91], [0, 1, 1], [90, 1, 91, 4], none, undefined],
    ['nothing in a closer that opens the turn after the last', [90, 1, 91], [0, 1, 1], [90, 1], none, undefined],
    ['nothing behind an answer that was cut off', [90, 1], [0, 1], [90, 1, 91, 1], none, undefined],
    ['nothing in an empty path', [], [], [90], none, undefined],
  ])('finds %s', (_, ids, sampled, rendered, counts, firstAt) => {
    expect(compare(ids, sampled, rendered)).toEqual({ counts, firstAt });
  });
});
