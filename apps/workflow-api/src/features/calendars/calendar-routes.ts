import { workflowContract } from '@weir/workflow-contract';
import type { CalendarResponse } from '@weir/workflow-contract/schemas';
import type { Bind } from '../../access/bind';
import type { CalendarService, ListedCalendar } from './calendar-service';
import { readICalendar } from './read-icalendar';

export function bindCalendarRoutes(bind: Bind, calendars: CalendarService): void {
  bind(workflowContract.listBusinessCalendars, async () => ({
    calendars: (await calendars.list()).map(({ name, definition, endsAt, updatedAt }) => ({
      name,
      description: definition.description,
      holidays: definition.holidays.length,
      include: definition.include,
      ...(endsAt === undefined ? {} : { endsAt }),
      updatedAt: updatedAt.toISOString(),
    })),
  }));

  bind(workflowContract.getBusinessCalendar, async ({ input: { params }, setEntityTag }) => {
    const calendar = await calendars.get(params.calendarName);
    setEntityTag(calendar.revision);
    return present(calendar);
  });

  bind(
    workflowContract.putBusinessCalendar,
    async ({ input: { params, body }, principal, audit, ifMatch, setEntityTag }) => {
      const { before, after } = await calendars.put(params.calendarName, body, { principal, ifMatch });
      setEntityTag(after.revision);
      await audit.record({ ...(before && { before: before.definition }), after: after.definition });
      return present(after);
    },
  );

  bind(workflowContract.deleteBusinessCalendar, async ({ input: { params }, principal, audit, ifMatch }) => {
    const removed = await calendars.remove(params.calendarName, { principal, ifMatch });
    await audit.record({ before: removed.definition });
  });

  bind(workflowContract.listBusinessCalendarDays, async ({ input: { params, query } }) => ({
    days: [...(await calendars.listDays(params.calendarName, Number(query.year)))],
  }));

  // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
  bind(workflowContract.readICalendar, async ({ input: { body } }) => readICalendar(body));
}

function present({ name, definition, endsAt, createdAt, updatedAt, updatedBy }: ListedCalendar): CalendarResponse {
  return {
    name,
    ...definition,
    ...(endsAt === undefined ? {} : { endsAt }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    updatedBy,
  };
}
