import { hoursMs, shownHours, startOfHour, toDayHours } from './day-hours';

const toneOf = (status: string) => (status === 'succeeded' ? 'success' : 'failed');
const last = Date.parse('2026-11-23T12:00:00Z');

it('lists every hour up to the last one, with its runs', () => {
  const hours = toDayHours(
    [
      {
        start: '2026-11-23T11:00:00.000Z',
        statuses: [
          { status: 4, statusLabel: 'succeeded', count: 3 },
          { status: 2, statusLabel: 'failed', count: 1 },
          { status: 8, statusLabel: 'rejected', count: 1 },
        ],
      },
    ],
    last,
    toneOf,
  );

  expect(hours).toHaveLength(shownHours);
  expect(hours[0]?.start).toEqual(new Date(last - 23 * hoursMs));
  expect(hours.at(-1)).toMatchObject({ start: new Date(last), total: 0, tones: [] });
  expect(hours.at(-2)).toMatchObject({
    total: 5,
    tones: [
      { tone: 'failed', count: 2 },
      { tone: 'success', count: 3 },
    ],
  });
});

it('omits older hours', () => {
  const old = { start: '2026-11-20T11:00:00.000Z', statuses: [{ status: 4, statusLabel: 'succeeded', count: 3 }] };

  expect(toDayHours([old as never], last, toneOf).every(({ total }) => total === 0)).toBe(true);
});

it('computes when an hour began', () => {
  expect(startOfHour(last + 59 * 60_000)).toBe(last);
});
