import { toRunDays } from './run-days';

const dayOf = (time: string): string => time.slice(0, 10);

it('groups the runs that began on one day', () => {
  const startedAt = ['2026-11-22T23:00:00Z', '2026-11-23T01:00:00Z', '2026-11-23T02:00:00Z'];

  expect(toRunDays(startedAt, dayOf)).toEqual([
    { column: 0, count: 1, day: '2026-11-22' },
    { column: 1, count: 2, day: '2026-11-23' },
  ]);
});

it('adds a run that has not begun to the previous day, and starts no day for it alone', () => {
  expect(toRunDays(['', '2026-11-23T01:00:00Z', ''], dayOf)).toEqual([{ column: 1, count: 2, day: '2026-11-23' }]);
  expect(toRunDays([''], dayOf)).toEqual([]);
});
