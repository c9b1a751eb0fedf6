import type { Clock } from '@weir/workflow-engine/model';
import { isBusinessDay } from '@weir/workflow-spec/schedule';
import { requireRoleEverywhere } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { assertRevision, toEntityTag } from '../../http/entity-tag';
import { resolveCalendar, type CalendarDefinition, type CalendarRepository, type StoredCalendar } from './calendar';
import type { CalendarBook } from './calendar-book';
import { calendarInUse, calendarLimit, calendarNotFound, includeCircle, includeUnknown } from './calendar-errors';

export interface CalendarServicePorts {
  readonly calendars: CalendarRepository;
  readonly book: Pick<CalendarBook, 'refresh'>;
  readonly clock: Clock;
}

export interface CalendarChange {
  readonly principal: Principal;
  readonly ifMatch: string | undefined;
}

export interface ListedCalendar extends StoredCalendar {
  /** The earliest `through` of the calendar and of all that it includes. */
  readonly endsAt: string | undefined;
}

export interface CalendarDay {
  readonly date: string;
  readonly kind: 'holiday' | 'extra' | 'weekend';
  readonly name?: string;
}

export type CalendarService = ReturnType<typeof createCalendarService>;

const maxCalendars = 200;
const dayMs = 86_400_000;

export function createCalendarService({ calendars, book, clock }: CalendarServicePorts) {
  const readAll = async () => {
    const all = new Map((await calendars.list()).map((calendar) => [calendar.name, calendar]));
    const describe = (calendar: StoredCalendar): ListedCalendar => {
      const { through } = resolveCalendar(calendar, (name) => all.get(name));
      return { ...calendar, endsAt: through };
    };
    return { all, describe };
  };
  const get = async (name: string) => {
    const { all, describe } = await readAll();
    const found = all.get(name);
    if (found === undefined) throw calendarNotFound(name);
    return { found: describe(found), all };
  };

  return {
    list: async (): Promise<readonly ListedCalendar[]> => {
      const { all, describe } = await readAll();
      return [...all.values()].map(describe).toSorted((left, right) => (left.name < right.name ? -1 : 1));
    },

    get: async (name: string) => (await get(name)).found,

    async put(name: string, given: CalendarDefinition, { principal, ifMatch }: CalendarChange) {
      requireRoleEverywhere(principal, 'manager');
      const { all } = await readAll();
      const before = all.get(name);
      assertRevision(ifMatch, before?.revision ?? '');
      if (before === undefined && all.size >= maxCalendars) throw calendarLimit(maxCalendars);
      const definition = inOrder(given);
      const now = clock.now();
      const after: StoredCalendar = {
        name,
        definition,
        revision: toEntityTag(JSON.stringify(definition)),
        createdAt: before?.createdAt ?? now,
        updatedAt: now,
        updatedBy: principal.id,
      };
      all.set(name, after);
      assertIncludes(after, all);
      if (before === undefined) await calendars.insert(after);
      else await calendars.replace(after, before.revision);
      await book.refresh();
      return { before, after: { ...after, endsAt: resolveCalendar(after, (each) => all.get(each)).through } };
    },

    /** Returns the removed calendar. */
    async remove(name: string, { principal, ifMatch }: CalendarChange): Promise<StoredCalendar> {
      requireRoleEverywhere(principal, 'manager');
      const { found, all } = await get(name);
      assertRevision(ifMatch, found.revision);
      const users = [...all.values()].filter(({ definition }) => definition.include.includes(name));
      if (users.length > 0) throw calendarInUse(name, users.map((user) => user.name).toSorted());
      await calendars.remove(name, found.revision);
      await book.refresh();
      return found;
    },

    /** Lists the days of a year that are no ordinary business days. */
    async listDays(name: string, year: number): Promise<readonly CalendarDay[]> {
      const { found, all } = await get(name);
      const calendar = resolveCalendar(found, (each) => all.get(each));
      const days: CalendarDay[] = [];
      for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += dayMs) {
        const date = new Date(at).toISOString().slice(0, 10);
        const holiday = calendar.holidays.get(date);
        if (calendar.extraBusinessDays.has(date)) days.push({ date, kind: 'extra' });
        else if (holiday !== undefined) days.push({ date, kind: 'holiday', ...(holiday && { name: holiday }) });
        else if (!isBusinessDay(calendar, date)) days.push({ date, kind: 'weekend' });
      }
      return days;
    },
  };
}

/** The same content always has the same entity tag. */
function inOrder({ holidays, extraBusinessDays, weekdays, ...definition }: CalendarDefinition): CalendarDefinition {
  return {
    ...definition,
    weekdays: [...new Set(weekdays)],
    holidays: holidays.toSorted((left, right) => (left.date < right.date ? -1 : 1)),
    extraBusinessDays: [...new Set(extraBusinessDays)].toSorted(),
    include: [...new Set(definition.include)],
  };
}

/** Throws when the calendar includes an unknown one, or itself through others. */
function assertIncludes(calendar: StoredCalendar, all: ReadonlyMap<string, StoredCalendar>): void {
  const checked = new Set<string>();
  const visit = ({ name, definition }: StoredCalendar, path: readonly string[]): void => {
    for (const included of definition.include) {
      if (included === calendar.name) throw includeCircle([...path, name, included]);
      const found = all.get(included);
      if (found === undefined) throw includeUnknown(included);
      if (checked.has(included)) continue;
      checked.add(included);
      visit(found, [...path, name]);
    }
  };
  visit(calendar, []);
}
