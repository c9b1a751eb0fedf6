import { createTimeScale } from './time-scale';

it('places times between the start and the end, and clips times outside', () => {
  const { place } = createTimeScale([1000, 3000]);

  expect([1000, 2000, 3000, 0, 9000].map(place)).toEqual([0, 0.5, 1, 0, 1]);
});

it.each([
  ['of seven seconds in steps of two', 7000, [0, 2000, 4000, 6000]],
  [
    'of an hour in steps of ten minutes',
    3_600_000,
    [0, 600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000, 3_600_000],
  ],
  ['of a moment', 0, [0, 1]],
])('has marks at round durations %s', (_, length, expected) => {
  expect(createTimeScale([500, 500 + length]).ticks.map(({ ms }) => ms)).toEqual(expected);
});
