import { sliceAround, sliceAtEnd, sliceFor } from './line-slice';

it('draws all of a short log', () => {
  expect(sliceAround(1, 10)).toEqual({ first: 1, last: 10 });
  expect(sliceAtEnd(10)).toEqual({ first: 1, last: 10 });
});

it('draws the lines around the view of a long one', () => {
  const slice = sliceAround(5_000_000, 10_000_000);

  expect(slice.first).toBeLessThan(5_000_000);
  expect(slice.last).toBeGreaterThan(5_000_000);
  expect(slice.last - slice.first).toBeLessThan(500);
});

it('stays while the view is inside, and moves before the view reaches its edge', () => {
  const slice = sliceAround(1000, 10_000);
  const at = (first: number) => ({ first, last: first + 30 });

  expect(sliceFor(slice, at(990), 10_000)).toBe(slice);
  expect(sliceFor(slice, at(slice.last - 40), 10_000).last).toBeGreaterThan(slice.last);
  expect(sliceFor(slice, at(slice.first + 5), 10_000).first).toBeLessThan(slice.first);
});

it('draws new lines of a log that was short', () => {
  expect(sliceFor({ first: 1, last: 3 }, { first: 1, last: 3 }, 20)).toEqual({ first: 1, last: 20 });
});
