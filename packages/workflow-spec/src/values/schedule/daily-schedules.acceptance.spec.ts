import { formatLocalTime, zoneOffset } from './local-time';
import { createScheduleTimes } from './schedule-times';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const [from, to] = [Date.UTC(2018, 0, 1), Date.UTC(2028, 0, 1)];

/** The beginnings of weeks in which clocks are changed. */
function weeksOfChange(timeZone: string): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += weekMs) {
    if (zoneOffset(timeZone, new Date(at)) !== zoneOffset(timeZone, new Date(at + weekMs))) found.push(at);
  }
  return found;
}

/** The days that clocks show in the span, without the first and the last. */
function wholeDays(timeZone: string, [start, end]: readonly [number, number]): readonly string[] {
  const shown = new Set<string>();
  for (let at = start; at <= end; at += dayMs / 4) shown.add(formatLocalTime(timeZone, new Date(at)).slice(0, 10));
  return [...shown].slice(1, -1);
}

interface DailyRun {
  /** The day of the run; of one that clocks have moved also that of the moment before. */
  readonly days: readonly string[];
  readonly isMoved: boolean;
}

function runsOf(expression: string, timeZone: string, [start, end]: readonly [number, number]): readonly DailyRun[] {
  const query = { after: new Date(start), to: new Date(end), count: 20 };
  const occurrences = createScheduleTimes({ timeZone }).occurrences([{ kind: 'cron', expression }], query);
  return occurrences.map(({ at, clockChange }) => {
    const isMoved = clockChange === 'gap';
    const days = [at, new Date(at.getTime() - 1)].map((each) => formatLocalTime(timeZone, each).slice(0, 10));
    // What clocks skip may end with the day, or be a day.
    return { days: isMoved ? days : days.slice(0, 1), isMoved };
  });
}

function hasOneRun(day: string, runs: readonly DailyRun[]): boolean {
  const found = runs.filter(({ days }) => days.includes(day));
  return found.length > 0 && found.filter(({ isMoved }) => !isMoved).length <= 1;
}

it('a daily schedule has one run on each day, at every change of clocks in every zone', () => {
  const wrong: string[] = [];
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    for (const week of weeksOfChange(timeZone)) {
      const span = [week - 2 * dayMs, week + weekMs + 2 * dayMs] as const;
      const days = wholeDays(timeZone, span);
      for (const expression of ['0 0 * * *', '15 1 * * *', '30 2 * * *', '45 23 * * *']) {
        const runs = runsOf(expression, timeZone, span);
        wrong.push(...days.filter((day) => !hasOneRun(day, runs)).map((day) => `${timeZone} ${day} ${expression}`));
      }
    }
  }

  expect(wrong).toEqual([]);
}, 180_000);
