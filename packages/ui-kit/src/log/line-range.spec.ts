import { formatLineRange, parseLineRange } from './line-range';

it.each([
  ['L120', { first: 120, last: 120 }],
  ['#L120-L140', { first: 120, last: 140 }],
  ['140-120', { first: 120, last: 140 }],
  [' 7 ', { first: 7, last: 7 }],
])('reads %s', (text, range) => {
  expect(parseLineRange(text)).toEqual(range);
});

it.each(['', 'L', 'L0', 'content', 'L99999999999', '1-2-3'])('refuses "%s"', (text) => {
  expect(parseLineRange(text)).toBeUndefined();
});

it('writes a range as it was read', () => {
  expect(formatLineRange({ first: 3, last: 3 })).toBe('L3');
  expect(formatLineRange({ first: 3, last: 9 })).toBe('L3-L9');
});
