import { diffTokens } from './diff-tokens';

const diff = (left: readonly number[], right: readonly number[]) => {
  const found = diffTokens(Int32Array.from(left), Int32Array.from(right));
  return [found.fork, [...found.left], [...found.right]];
};

describe('diffTokens', () => {
  it('marks only differences after the fork', () => {
    expect(diff([1, 2, 3, 4, 9], [1, 2, 5, 4, 9])).toEqual([2, [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]]);
  });

  it('finds common tokens even if they have moved', () => {
    expect(diff([1, 7, 8, 2], [1, 7, 6, 8, 3])).toEqual([2, [0, 0, 0, 1], [0, 0, 1, 0, 1]]);
  });

  it('finds no differences in equal paths, and all additional tokens of a longer one', () => {
    expect(diff([1, 2], [1, 2])).toEqual([2, [0, 0], [0, 0]]);
    expect(diff([1], [1, 2])).toEqual([1, [0], [0, 1]]);
    expect(diff([], [3])).toEqual([0, [], [1]]);
  });
});
