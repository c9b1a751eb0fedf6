import type { Schedule } from '../../model/schedule';
import type { BusinessCalendar } from './business-days';
import { createScheduleTimes, type ScheduleTimes } from './schedule-times';

const bank: BusinessCalendar = {
  name: 'bank-de',
  weekdays: new Set([1, 2, 3, 4, 5]),
  holidays: new Map([
    ['2026-12-25', 'Christmas Day'],
    ['2027-01-01', ''],
  ]),
  extraBusinessDays: new Set(['2026-12-27']),
};
const entry = (expression: string, businessDays?: readonly number[]): Schedule => ({
  kind: 'cron',
  expression,
  calendar: 'bank-de',
  ...(businessDays && { businessDays }),
});
const timesWith = (calendar: BusinessCalendar | undefined, timeZone = 'Europe/Berlin'): ScheduleTimes =>
  createScheduleTimes({ timeZone, findCalendar: (name) => (name === calendar?.name ? calendar : undefined) });
const datesOf = (times: ScheduleTimes, schedule: readonly Schedule[], from: string, to: string) =>
  times
    .occurrences(schedule, { after: new Date(from), to: new Date(to), count: 100 })
    .map(({ localTime }) => localTime.slice(0, 10));

describe('a schedule with a calendar', () => {
  it('is due on business days and on extra business days, but not on weekends and holidays', () => {
    const days = datesOf(timesWith(bank), [entry('0 9 * * *')], '2026-12-23T12:00:00Z', '2027-01-04T12:00:00Z');

    expect(days).toEqual([
      '2026-12-24',
      '2026-12-27',
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      '2027-01-04',
    ]);
  });

  it('is due on the chosen business days of each month, counted from its beginning and its end', () => {
    const chosen = [entry('0 9 * * *', [1, -1])];

    expect(datesOf(timesWith(bank), chosen, '2026-12-01T00:00:00Z', '2027-02-28T00:00:00Z')).toEqual([
      '2026-12-01',
      '2026-12-31',
      '2027-01-04',
      '2027-01-29',
      '2027-02-01',
      '2027-02-26',
    ]);
  });

  it('finds the next and the last times on the same days', () => {
    const times = timesWith(bank);
    const schedule = [entry('*/30 * * * *')];

    expect(times.next(schedule, new Date('2026-12-31T22:59:00Z'))).toEqual(new Date('2027-01-03T23:00:00Z'));
    const span = { after: new Date(0), to: new Date('2027-01-03T22:59:00Z') };
    expect(times.last(schedule, span, 2)).toEqual([new Date('2026-12-31T22:00:00Z'), new Date('2026-12-31T22:30:00Z')]);
  });

  it('names the excluded times with their reasons', () => {
    const times = timesWith(bank);
    const span = { after: new Date('2026-12-24T12:00:00Z'), to: new Date('2026-12-28T12:00:00Z') };
    const schedule = [entry('0 9 * * *'), entry('0 10 * * *', [1])];

    expect(times.excluded(schedule, span, 100).map(({ at, reason }) => [at.toISOString(), reason])).toEqual([
      ['2026-12-25T08:00:00.000Z', 'holiday of calendar bank-de (Christmas Day)'],
      ['2026-12-25T09:00:00.000Z', 'holiday of calendar bank-de (Christmas Day)'],
      ['2026-12-26T08:00:00.000Z', 'not a business day of calendar bank-de'],
      ['2026-12-26T09:00:00.000Z', 'not a business day of calendar bank-de'],
      [
        '2026-12-27T09:00:00.000Z',
        'business day 19 of 23 of its month in calendar bank-de, which the schedule does not choose',
      ],
      [
        '2026-12-28T09:00:00.000Z',
        'business day 20 of 23 of its month in calendar bank-de, which the schedule does not choose',
      ],
    ]);
    expect(times.nextNamed(schedule, new Date('2026-12-24T12:00:00Z'))).toEqual(new Date('2026-12-25T08:00:00Z'));
  });

  it('does not call a time excluded at which another entry is due', () => {
    const schedule = [entry('0 9 * * *'), { kind: 'cron', expression: '0 9 * * *' } as const];
    const span = { after: new Date('2026-12-24T12:00:00Z'), to: new Date('2026-12-26T12:00:00Z') };

    expect(timesWith(bank).excluded(schedule, span, 100)).toEqual([]);
  });

  it('takes the date of a time from the zone of the calendar, where it names one', () => {
    const tokyo = { ...bank, timeZone: 'Asia/Tokyo' };
    // The evening of Thursday in Berlin is the morning of Christmas Day in Tokyo.
    const span = { after: new Date('2026-12-24T12:00:00Z'), to: new Date('2026-12-24T23:00:00Z') };

    expect(timesWith(tokyo).last([entry('0 20 * * *')], span, 1)).toEqual([]);
    expect(timesWith(bank).last([entry('0 20 * * *')], span, 1)).toHaveLength(1);
  });

  it('is never due without its calendar, and says so', () => {
    const times = timesWith(undefined);
    const span = { after: new Date('2026-12-22T12:00:00Z'), to: new Date('2026-12-23T12:00:00Z') };

    expect(times.next([entry('0 9 * * *')], span.after)).toBeUndefined();
    expect(times.excluded([entry('0 9 * * *')], span, 1)).toEqual([
      {
        at: new Date('2026-12-23T08:00:00Z'),
        reason: 'calendar bank-de does not exist',
        isUnknownCalendar: true,
      },
    ]);
  });

  it('finds nothing, in bounded time, when the calendar excludes every day', () => {
    const closed = { ...bank, weekdays: new Set<number>(), extraBusinessDays: new Set<string>() };

    expect(timesWith(closed).next([entry('* * * * *')], new Date('2026-12-22T12:00:00Z'))).toBeUndefined();
    const span = { after: new Date(0), to: new Date('2026-12-22T12:00:00Z') };
    expect(timesWith(closed).last([entry('* * * * *')], span, 1)).toEqual([]);
  });

  it.each(['America/Havana', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Beirut'])(
    'agrees with a check of every single time when clocks of %s change',
    (timeZone) => {
      const times = timesWith(bank, timeZone);
      const plain = createScheduleTimes({ timeZone });
      const weekdaysOnly = '*/20 * * * 1-5';
      const calendar = { ...bank, holidays: new Map<string, string>(), extraBusinessDays: new Set<string>() };
      const limited = timesWith(calendar, timeZone);
      for (const from of ['2026-03-01T00:00:00Z', '2026-10-01T00:00:00Z']) {
        let at = new Date(from);
        const end = new Date(at.getTime() + 45 * 86_400_000);
        while (at < end) {
          const expected = plain.next([{ kind: 'cron', expression: weekdaysOnly }], at);
          expect(limited.next([entry('*/20 * * * *')], at)).toEqual(expected);
          at = expected ?? end;
        }
      }
      expect(times.next([entry('0 0 * * *')], new Date('2026-03-01T00:00:00Z'))).toBeDefined();
    },
  );
});
