import { createWallClock } from './calendar-days';
import { hourKey, toCalendar, type CalendarSources } from './calendar-entries';

const now = new Date('2026-11-23T12:00:00Z');
const wallTimeOf = createWallClock('UTC');

const run = (name: string, startedAt: string, statusLabel: 'failed' | 'succeeded' = 'succeeded') =>
  ({
    name,
    startedAt,
    statusLabel,
    dagRunId: `${name}-${startedAt}`,
    finishedAt: '',
  }) as CalendarSources['runs'][number];
const due = (name: string, time: string, action: 'start' | 'stop' = 'start') =>
  ({ name, fileName: name, time, action, suspended: false, entry: '', timeZone: 'UTC', localTime: '' }) as const;

function entriesAt(hour: number, sources: Partial<CalendarSources>) {
  const calendar = toCalendar({ runs: [], occurrences: [], now, wallTimeOf, ...sources });
  return calendar.get(hourKey({ day: '2026-11-23', hour })) ?? [];
}

it('puts runs and due occurrences into their hours', () => {
  const sources = {
    runs: [run('nightly', '2026-11-23T02:30:00Z')],
    occurrences: [due('report', '2026-11-23T18:00:00Z')],
  };

  expect(entriesAt(2, sources)).toMatchObject([{ name: 'nightly', what: { kind: 'run', status: 'succeeded' } }]);
  expect(entriesAt(18, sources)).toMatchObject([{ name: 'report', what: { kind: 'due' } }]);
});

it('counts equal entries within an hour, separately for each status', () => {
  const runs = [
    run('beat', '2026-11-23T02:02:00Z'),
    run('beat', '2026-11-23T02:01:00Z'),
    run('beat', '2026-11-23T02:03:00Z', 'failed'),
  ];

  expect(entriesAt(2, { runs })).toMatchObject([
    { name: 'beat', count: 2, time: new Date('2026-11-23T02:01:00Z') },
    { name: 'beat', count: 1, what: { status: 'failed' } },
  ]);
});

it('shows the runs in place of the occurrences that started them', () => {
  expect(entriesAt(8, { occurrences: [due('report', '2026-11-23T08:00:00Z')] })).toEqual([]);
});

it('omits occurrences that stop a run', () => {
  expect(entriesAt(18, { occurrences: [due('report', '2026-11-23T18:00:00Z', 'stop')] })).toEqual([]);
});
