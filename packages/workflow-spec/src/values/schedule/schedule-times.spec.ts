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

  it.each([
    ['0 1/2 * * *', '0 1-23/2 * * *'],
    ['5/20 * * * *', '5-59/20 * * * *'],
    ['0 0 3/10,31 * *', '0 0 3-31/10,31 * *'],
    ['0 0 1 FEB/3 *', '0 0 1 FEB-12/3 *'],
    ['0 0 * * 1/2', '0 0 * * MON,WED,FRI'],
    ['0 0 * * 7/3', '0 0 * * SUN,WED,SAT'],
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * SUN'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 JAN *'],
    ['@Annually', '0 0 1 1 *'],
    ['@every 1h', '0 * * * *'],
    ['@every 1d', '0 0 * * *'],
  ])('%s means %s', (short, long) => {
    const times = createScheduleTimes({ timeZone: 'UTC' });
    const span = { after: new Date('2026-01-01T00:30:00Z'), to: new Date('2028-01-01T00:00:00Z') };

    expect(iso(times.last([cron(short)], span, 40))).toEqual(iso(times.last([cron(long)], span, 40)));
    expect(times.next([cron(short)], span.after)).toEqual(times.next([cron(long)], span.after));
  });

  it('counts an interval from the same moment after a restart, and through changes of clocks', () => {
    const [from, to] = [new Date('2026-03-28T23:10:00Z'), new Date('2026-03-29T05:00:00Z')];
    const found = walked(createScheduleTimes({ timeZone: 'Europe/Berlin' }), [cron('@every 90m')], from, to);

    expect(iso(found)).toEqual([
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T03:00:00.000Z',
      '2026-03-29T04:30:00.000Z',
    ]);
  });

  it.each([
    ['*/15 2 * * *', ['03:00']],
    ['0 2,4 * * *', ['03:00', '04:00']],
    ['0 2,3 * * *', ['03:00']],
    ['30 2 * * *', ['03:00']],
    ['30 1-3 * * *', ['01:30', '03:00', '03:30']],
    ['*/30 * * * *', ['01:00', '01:30', '03:00', '03:30', '04:00']],
    ['0 */2 * * *', ['03:00', '04:00']],
  ])('%s is due at the end of an hour that clocks skip, once', (expression, expected) => {
    const times = createScheduleTimes({ timeZone: 'America/Toronto' });
    const span = { after: new Date('2023-03-12T05:30:00Z'), to: new Date('2023-03-12T08:00:00Z') };
    const shown = times
      .occurrences([cron(expression)], { ...span, count: 100 })
      .map(({ localTime }) => localTime.slice(11, 16));

    expect(shown).toEqual(expected);
    expect(times.last([cron(expression)], span, 100)).toHaveLength(expected.length);
  });

  it('makes up for a day that clocks skip whole', () => {
    const times = createScheduleTimes({ timeZone: 'Pacific/Apia' });
    const found = times.occurrences([cron('0 12 * * *')], { after: new Date('2011-12-29T00:00:00Z'), count: 3 });

    expect(found.map(({ localTime }) => localTime)).toEqual([
      '2011-12-29T12:00:00-10:00',
      '2011-12-31T00:00:00+14:00',
      '2011-12-31T12:00:00+14:00',
    ]);
  });

  it('finds the same times backwards as a forward search, from any start', () => {
    const transition = fc.constantFrom(
      ['Europe/Berlin', '2026-03-29T01:00:00Z'],
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['America/New_York', '2026-11-01T06:00:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
      ['Pacific/Apia', '2011-12-30T10:00:00Z'],
      ['UTC', '2026-02-28T23:00:00Z'],
    );
    const expressions = [
      '30 2 * * *',
      '0 * * * *',
      '*/20 * * * *',
      '15 1-3 * * *',
      '59 1 * * *',
      '0 3 1 * *',
      '*/15 2 * * *',
      '0 */2 * * *',
      '@every 50m',
    ];
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
