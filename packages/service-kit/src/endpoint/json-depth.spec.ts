import { isDeeperThan } from './json-depth';

describe('isDeeperThan', () => {
  it.each([
    ['[[]]', 2, false],
    ['[[]]', 1, true],
    ['{"a":[{}]}', 3, false],
    ['{"a":[{}]}', 2, true],
    ['[[],[],[]]', 2, false],
    ['"[[[[["', 1, false],
    [String.raw`["\"[[[["]`, 1, false],
    [String.raw`["\\",[[]]]`, 2, true],
    ['', 1, false],
    ['5', 0, false],
  ])('of %s with limit %d is %p', (text, limit, expected) => {
    expect(isDeeperThan(text, limit)).toBe(expected);
  });
});
