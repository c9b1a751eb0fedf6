/** When a schedule is due. */

export { nextRunAt } from '../values/schedule/next-run-at';
export { isBusinessDay, type BusinessCalendar, type FindCalendar } from '../values/schedule/business-days';
export type { ExcludedTime } from '../values/schedule/business-times';
export type { Occurrence } from '../values/schedule/occurrences';
export { createScheduleTimes, type ScheduleTimes } from '../values/schedule/schedule-times';
