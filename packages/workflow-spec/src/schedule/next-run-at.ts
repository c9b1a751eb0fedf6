import type { Schedule } from '../model/schedule';
import { createScheduleTimes } from './schedule-times';

/** See {@link ScheduleTimes.next}; for one who asks once. */
export function nextRunAt(schedule: readonly Schedule[], after: Date, timeZone?: string): Date | undefined {
  return createScheduleTimes({ timeZone }).next(schedule, after);
}
