import type { Logger } from '@weir/service-kit';
import type { Clock } from '@weir/workflow-engine/model';
import type { BusinessCalendar, FindCalendar } from '@weir/workflow-spec/schedule';
import { resolveCalendar, type CalendarRepository } from './calendar';

/** Calendars with what they include, in memory, so that a schedule needs no query. */
export interface CalendarBook {
  /** Answers from memory. Reads in the background what other processes may have changed. */
  readonly find: FindCalendar;
  /** Resolves when `find` has something to answer from: a process that has only just started reads first. */
  ready(): Promise<void>;
  /** Reads what has changed since, and tells the listeners when anything has. */
  refresh(): Promise<void>;
  onChange(listener: () => void): void;
}

/** Limits the age of the cached calendars, which other processes change too. */
const maxAgeMs = 5_000;

export function createCalendarBook({
  calendars,
  clock,
  logger,
}: {
  readonly calendars: Pick<CalendarRepository, 'list' | 'listRevisions'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): CalendarBook {
  const listeners: (() => void)[] = [];
  let known: ReadonlyMap<string, BusinessCalendar> = new Map();
  let revisions = '';
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const startedAt = clock.now().getTime();
    const found = await calendars.listRevisions();
    const present = JSON.stringify(found.map(({ name, revision }) => [name, revision]).toSorted());
    readAt = startedAt;
    if (present === revisions) return;
    const stored = new Map((await calendars.list()).map((calendar) => [calendar.name, calendar]));
    known = new Map(
      [...stored.values()].map((calendar) => [calendar.name, resolveCalendar(calendar, (name) => stored.get(name))]),
    );
    revisions = present;
    for (const listener of listeners) listener();
  };
  // A change of this process is stored before it refreshes, so a reading in progress may have missed it.
  const refresh = (): Promise<void> => {
    const next = (reading ?? Promise.resolve()).catch(() => undefined).then(read);
    reading = next;
    return next;
  };
  const refreshOrWarn = (): Promise<void> =>
    refresh().catch((error: unknown) => logger.warn({ error }, 'calendars could not be read'));
  return {
    ready: () => (readAt === -Infinity ? refreshOrWarn() : (reading ?? Promise.resolve()).catch(() => undefined)),
    find: (name) => {
      if (clock.now().getTime() - readAt >= maxAgeMs) {
        readAt = clock.now().getTime();
        void refreshOrWarn();
      }
      return known.get(name);
    },
    refresh,
    onChange: (listener) => void listeners.push(listener),
  };
}
