import { revisionChanged } from '../../http/entity-tag';
import type { CalendarRepository, StoredCalendar } from './calendar';

export function createInMemoryCalendarRepository(): CalendarRepository {
  const rows = new Map<string, StoredCalendar>();
  return {
    list: () => Promise.resolve([...rows.values()]),
    listRevisions: () => Promise.resolve([...rows.values()].map(({ name, revision }) => ({ name, revision }))),
    find: (name) => Promise.resolve(rows.get(name)),
    insert: (calendar) => {
      if (rows.has(calendar.name)) return Promise.reject(revisionChanged());
      rows.set(calendar.name, calendar);
      return Promise.resolve();
    },
    replace: (calendar, revision) => {
      const before = rows.get(calendar.name);
      if (before?.revision !== revision) return Promise.reject(revisionChanged());
      rows.set(calendar.name, { ...calendar, createdAt: before.createdAt });
      return Promise.resolve();
    },
    remove: (name, revision) => {
      if (rows.get(name)?.revision !== revision) return Promise.reject(revisionChanged());
      rows.delete(name);
      return Promise.resolve();
    },
  };
}
