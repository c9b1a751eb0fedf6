export type { CalendarRepository } from './calendar';
export { createCalendarBook, type CalendarBook } from './calendar-book';
export { bindCalendarRoutes } from './calendar-routes';
export {
  checkCalendars,
  createCalendarCheck,
  endedMessage,
  namedCalendars,
  unknownMessage,
  type CalendarFacts,
} from './check-calendars';
export { createCalendarService } from './calendar-service';
export { createInMemoryCalendarRepository } from './in-memory-calendar-repository';
export { createPrismaCalendarRepository } from './prisma-calendar-repository';
