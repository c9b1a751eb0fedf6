import type { CalendarRequest, Weekday } from '@weir/workflow-contract/schemas';
import type { BusinessCalendar } from '@weir/workflow-spec/schedule';

export type CalendarDefinition = CalendarRequest;

export interface StoredCalendar {
  readonly name: string;
  readonly definition: CalendarDefinition;
  /** The entity tag of the definition. */
  readonly revision: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

export interface CalendarRepository {
  list(): Promise<readonly StoredCalendar[]>;
  /** Lists names and revisions, which tell cheaply whether anything has changed. */
  listRevisions(): Promise<readonly Pick<StoredCalendar, 'name' | 'revision'>[]>;
  find(name: string): Promise<StoredCalendar | undefined>;
  /** Throws `revision_changed` when there is a calendar of the name. */
  insert(calendar: StoredCalendar): Promise<void>;
  /** Replaces the calendar if it still has this revision, else throws `revision_changed`. */
  replace(calendar: StoredCalendar, revision: string): Promise<void>;
  /** Removes the calendar if it still has this revision, else throws `revision_changed`. */
  remove(name: string, revision: string): Promise<void>;
}

const weekdayNumbers: Readonly<Record<Weekday, number>> = {
  SUN: 0,
  MON: 1,
  TUE: 2,
  WED: 3,
  THU: 4,
  FRI: 5,
  SAT: 6,
};

/** Unites the holidays of a calendar and of all that it includes; the nearest name of a holiday counts. */
export function resolveCalendar(
  calendar: StoredCalendar,
  find: (name: string) => StoredCalendar | undefined,
): BusinessCalendar {
  const { name, definition } = calendar;
  const holidays = new Map<string, string>();
  const ends: string[] = [];
  const seen = new Set<string>();
  const pending: StoredCalendar[] = [calendar];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    // Two servers may each have stored a half of a circle at the same moment.
    if (seen.has(next.name)) continue;
    seen.add(next.name);
    for (const holiday of next.definition.holidays) {
      if (!holidays.has(holiday.date)) holidays.set(holiday.date, holiday.name ?? '');
    }
    if (next.definition.through !== undefined) ends.push(next.definition.through);
    pending.push(...next.definition.include.flatMap((included) => find(included) ?? []));
  }
  return {
    name,
    timeZone: definition.timeZone,
    weekdays: new Set(definition.weekdays.map((weekday) => weekdayNumbers[weekday])),
    holidays,
    extraBusinessDays: new Set(definition.extraBusinessDays),
    through: ends.toSorted()[0],
  };
}
