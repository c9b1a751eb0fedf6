import fc from 'fast-check';
import type { Schedule } from '../../model/schedule';
import { createScheduleTimes } from './schedule-times';

const minuteMs = 60_000;
const cron = (expression: string): Schedule => ({ kind: 'cron', expression });
const at = (moment: string): Schedule => ({ kind: 'at', at: moment });
const iso = (times: readonly Date[]): readonly string[] => times.map((time) => time.toISOString());

/** All times in the span, found by stepping from each to the next. */
function walked(times: ReturnType<typeof createScheduleTimes>, schedule: readonly Schedule[], from: Date, to: Date) {
  const found: Date[] = [];
  let next = times.next(schedule, from);
  while (next !== undefined && next <= to) {
    found.push(next);
    next = times.next(schedule, next);
  }
  return found;
}

describe('createScheduleTimes', () => {
  it.each([
    // Three o'clock follows a quarter to two.
    ['an hour that is left out', '30 2 * * *', '2026-03-28T12:00:00Z', ['2026-03-29T01:00:00.000Z']],
    ['each hour of a short day', '0 * * * *', '2026-03-28T23:30:00Z', ['2026-03-29T00:00:00.000Z']],
    ['an hour that comes twice', '30 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:30:00.000Z']],
  ])('finds %s', (_, expression, from, expected) => {
    const times = createScheduleTimes({ timeZone: 'Europe/Berlin' });
    const to = new Date(new Date(from).getTime() + 13 * 60 * minuteMs);

    expect(iso(walked(times, [cron(expression)], new Date(from), to)).slice(0, 1)).toEqual(expected);
  });

  it('is due once in a repeated hour with fixed hours, and twice when hourly', () => {
    const times = createScheduleTimes({ timeZone: 'America/New_York' });
    const [from, to] = [new Date('2026-11-01T04:00:00Z'), new Date('2026-11-01T07:30:00Z')];

    expect(iso(walked(times, [cron('30 1 * * *')], from, to))).toEqual(['2026-11-01T05:30:00.000Z']);
    expect(iso(walked(times, [cron('30 * * * *')], from, to))).toEqual([
      '2026-11-01T04:30:00.000Z',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T06:30:00.000Z',
      '2026-11-01T07:30:00.000Z',
    ]);
  });

  it('finds the same times backwards as a forward search, from any start', () => {
    const transition = fc.constantFrom(
      ['Europe/Berlin', '2026-03-29T01:00:00Z'],
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['America/New_York', '2026-11-01T06:00:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
      ['UTC', '2026-02-28T23:00:00Z'],
    );
    const expressions = ['30 2 * * *', '0 * * * *', '*/20 * * * *', '15 1-3 * * *', '59 1 * * *', '0 3 1 * *'];
    fc.assert(
      fc.property(
        transition,
        fc.uniqueArray(fc.constantFrom(...expressions), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 0, max: 600 }),
        fc.integer({ min: 1, max: 40 }),
        ([timeZone = '', moment = ''], chosen, before, later, count) => {
          const times = createScheduleTimes({ timeZone, maxCachedExpressions: 2 });
          const schedule = [...chosen.map(cron), at(moment)];
          const after = new Date(new Date(moment).getTime() - before * minuteMs);
          const to = new Date(new Date(moment).getTime() + later * minuteMs);
          const all = iso(walked(times, schedule, after, to));

          expect(iso(times.last(schedule, { after, to }, count))).toEqual(all.slice(-count));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('searches back no further than requested', () => {
    const times = createScheduleTimes({ timeZone: 'UTC' });
    const span = { after: new Date('2016-01-01T00:00:00Z'), to: new Date('2026-01-01T00:00:00Z') };
    const found = times.last([cron('* * * * *')], span, 1000);

    expect(found).toHaveLength(1000);
    expect(found.at(-1)).toEqual(span.to);
  });

  it.each([
    ['nothing', []],
    ['a date that never comes', [cron('0 0 31 4 *')]],
    ['a string that is no schedule', [cron('soon')]],
  ])('is never due for %s', (_, schedule) => {
    const times = createScheduleTimes();
    const span = { after: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') };

    expect(times.next(schedule, span.after)).toBeUndefined();
    expect(times.last(schedule, span, 5)).toEqual([]);
  });
});
