import { CalendarRequest } from '@weir/workflow-contract/schemas';
import { translatePrismaError, type Calendar as Row, type Database } from '@weir/workflow-db';
import { revisionChanged } from '../../http/entity-tag';
import type { CalendarRepository, StoredCalendar } from './calendar';

export function createPrismaCalendarRepository({ db }: Pick<Database, 'db'>): CalendarRepository {
  return {
    list: async () => (await db.calendar.findMany()).map(fromRow),
    listRevisions: () => db.calendar.findMany({ select: { name: true, revision: true } }),
    find: async (name) => {
      const row = await db.calendar.findUnique({ where: { name } });
      return row === null ? undefined : fromRow(row);
    },
    insert: async (calendar) => {
      await db.calendar.create({ data: toRow(calendar) }).catch((error: unknown) => {
        throw translatePrismaError(error)?.kind === 'unique' ? revisionChanged() : error;
      });
    },
    replace: async (calendar, revision) => {
      const { name, definition, updatedAt, updatedBy, revision: next } = toRow(calendar);
      const data = { definition, revision: next, updatedAt, updatedBy };
      const { count } = await db.calendar.updateMany({ where: { name, revision }, data });
      if (count === 0) throw revisionChanged();
    },
    remove: async (name, revision) => {
      const { count } = await db.calendar.deleteMany({ where: { name, revision } });
      if (count === 0) throw revisionChanged();
    },
  };
}

function toRow({ definition, ...calendar }: StoredCalendar): Row {
  return { ...calendar, definition: JSON.stringify(definition) };
}

function fromRow({ definition, ...row }: Row): StoredCalendar {
  return { ...row, definition: CalendarRequest.parse(JSON.parse(definition)) };
}
