/** When a schedule is due. */

export { nextRunAt } from '../values/schedule/next-run-at';
export type { Occurrence } from '../values/schedule/occurrences';
export { createScheduleTimes, type ScheduleTimes } from '../values/schedule/schedule-times';
