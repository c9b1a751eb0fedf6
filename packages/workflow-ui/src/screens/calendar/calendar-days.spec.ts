import { addDays, createWallClock, daysOf, isDay, rangeAround } from './calendar-days';

it('lists the days of a week from Monday on', () => {
  const week = daysOf('week', '2026-11-26');

  expect(week).toEqual([...week].sort());
  expect([week.length, week[0], week[6]]).toEqual([7, '2026-11-23', '2026-11-29']);
  expect(daysOf('week', '2026-11-29')).toEqual(week);
  expect(daysOf('week', '2026-11-23')).toEqual(week);
});

it('crosses the ends of months', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});

it('computes the local time of a zone, even after a clock change', () => {
  const berlin = createWallClock('Europe/Berlin');

  expect(berlin(new Date('2026-03-29T00:30:00Z'))).toEqual({ day: '2026-03-29', hour: 1 });
  expect(berlin(new Date('2026-03-29T01:30:00Z'))).toEqual({ day: '2026-03-29', hour: 3 });
  expect(berlin(new Date('2026-03-28T23:30:00Z'))).toEqual({ day: '2026-03-29', hour: 0 });
});

it('has a range that includes its days in every zone', () => {
  const { from, to } = rangeAround(['2026-11-23', '2026-11-24']);

  expect(createWallClock('Pacific/Kiritimati')(from).day <= '2026-11-23').toBe(true);
  expect(createWallClock('Pacific/Pago_Pago')(to).day > '2026-11-24').toBe(true);
});

it.each([
  ['2026-11-23', true],
  ['2026-13-01', false],
  ['yesterday', false],
  [20261123, false],
])('accepts %s as a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});
