import { createScheduleTimes } from './schedule-times';

const times = createScheduleTimes({ timeZone: 'Europe/Berlin' });
const list = (expression: string, after: string, count: number, to?: string) =>
  times
    .occurrences([{ kind: 'cron', expression }], {
      after: new Date(after),
      count,
      ...(to === undefined ? {} : { to: new Date(to) }),
    })
    .map(({ at, localTime, clockChange }) => [at.toISOString().slice(0, 16), localTime, clockChange]);

describe('occurrences', () => {
  it('reports that clocks skip the named time', () => {
    expect(list('30 2 * * *', '2026-03-28T00:00:00Z', 3)).toEqual([
      ['2026-03-28T01:30', '2026-03-28T02:30:00+01:00', undefined],
      ['2026-03-29T01:00', '2026-03-29T03:00:00+02:00', 'gap'],
      ['2026-03-30T00:30', '2026-03-30T02:30:00+02:00', undefined],
    ]);
  });

  it('reports that clocks show a time twice', () => {
    expect(list('30 2 * * *', '2026-10-24T12:00:00Z', 2)).toEqual([
      ['2026-10-25T00:30', '2026-10-25T02:30:00+02:00', 'overlap'],
      ['2026-10-26T01:30', '2026-10-26T02:30:00+01:00', undefined],
    ]);
    expect(list('30 * * * *', '2026-10-24T23:00:00Z', 4).map(([at, , change]) => [at, change])).toEqual([
      ['2026-10-24T23:30', undefined],
      ['2026-10-25T00:30', 'overlap'],
      ['2026-10-25T01:30', 'overlap'],
      ['2026-10-25T02:30', undefined],
    ]);
  });

  it('reports a change of half an hour too, and west of Greenwich', () => {
    expect(list('CRON_TZ=Australia/Lord_Howe 45 1 * * *', '2026-04-04T12:00:00Z', 1)).toEqual([
      ['2026-04-04T14:45', '2026-04-05T01:45:00+11:00', 'overlap'],
    ]);
    expect(list('CRON_TZ=America/New_York 30 1 * * *', '2026-11-01T00:00:00Z', 1)).toEqual([
      ['2026-11-01T05:30', '2026-11-01T01:30:00-04:00', 'overlap'],
    ]);
  });

  it('merges entries, and ends with the span or the count', () => {
    const schedule = [
      { kind: 'cron', expression: 'CRON_TZ=UTC 0 6 * * *' },
      { kind: 'at', at: '2026-06-01T07:00:00+02:00' },
      { kind: 'at', at: '2026-05-01T07:00:00+02:00' },
    ] as const;
    const found = (to: string, count: number) =>
      times
        .occurrences(schedule, { after: new Date('2026-06-01T00:00:00Z'), to: new Date(to), count })
        .map(({ entry }) => entry);

    expect(found('2026-06-02T06:00:00Z', 10)).toEqual([
      '2026-06-01T07:00:00+02:00',
      'CRON_TZ=UTC 0 6 * * *',
      'CRON_TZ=UTC 0 6 * * *',
    ]);
    expect(found('2026-06-02T06:00:00Z', 1)).toEqual(['2026-06-01T07:00:00+02:00']);
    expect(found('2026-06-01T04:00:00Z', 10)).toEqual([]);
  });
});
