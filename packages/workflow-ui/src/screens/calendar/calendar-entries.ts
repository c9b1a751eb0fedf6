import type { Schemas } from '../../api/client';
import type { WallTime } from './calendar-days';

type Run = Schemas['DAGRunSummary'];
type Occurrence = Schemas['CalendarOccurrence'];

/** The runs or occurrences of a DAG within an hour. Similar ones are counted. */
export interface CalendarEntry {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  /** The time of the first of them. */
  readonly time: Date;
  readonly what:
    | { readonly kind: 'run'; readonly status: Run['statusLabel']; readonly dagRunId: string }
    | { readonly kind: 'due'; readonly fileName: string; readonly isSuspended: boolean };
}

export interface CalendarSources {
  readonly runs: readonly Run[];
  readonly occurrences: readonly Occurrence[];
  readonly now: Date;
  readonly wallTimeOf: (time: Date) => WallTime;
}

/** Returns the entries of each hour of each day, by `hourKey`. Occurrences count from now on; before, runs show what happened. */
export function toCalendar(sources: CalendarSources): ReadonlyMap<string, readonly CalendarEntry[]> {
  const { runs, occurrences, now, wallTimeOf } = sources;
  const due = occurrences.filter(({ action, time }) => action === 'start' && Date.parse(time) > now.getTime());
  const entries = [...runs.flatMap(fromRun), ...due.map(fromOccurrence)];
  const hours = new Map<string, Map<string, CalendarEntry>>();
  for (const entry of entries) {
    const hour = hourKey(wallTimeOf(entry.time));
    const known = hours.get(hour) ?? new Map<string, CalendarEntry>();
    hours.set(hour, known.set(entry.key, join(known.get(entry.key), entry)));
  }
  return new Map([...hours].map(([hour, known]) => [hour, [...known.values()].sort(byTime)]));
}

export function hourKey({ day, hour }: WallTime): string {
  return `${day} ${hour}`;
}

function fromRun({ name, statusLabel, dagRunId, startedAt, queuedAt, createdAt }: Run): readonly CalendarEntry[] {
  const time = new Date([startedAt, queuedAt, createdAt].find((text) => text !== undefined && text !== '') ?? '');
  if (Number.isNaN(time.getTime())) return [];
  return [
    { key: `run ${name} ${statusLabel}`, name, count: 1, time, what: { kind: 'run', status: statusLabel, dagRunId } },
  ];
}

function fromOccurrence({ name, fileName, suspended, time }: Occurrence): CalendarEntry {
  const what = { kind: 'due', fileName, isSuspended: suspended } as const;
  return { key: `due ${fileName}`, name, count: 1, time: new Date(time), what };
}

function join(known: CalendarEntry | undefined, entry: CalendarEntry): CalendarEntry {
  if (known === undefined) return entry;
  const first = byTime(known, entry) <= 0 ? known : entry;
  return { ...first, count: known.count + 1 };
}

function byTime(one: CalendarEntry, other: CalendarEntry): number {
  return one.time.getTime() - other.time.getTime();
}
