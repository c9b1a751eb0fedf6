import type { Schedule } from '../../model/schedule';
import { createScheduleTimes } from './schedule-times';

/** Shorthand for {@link ScheduleTimes.next} for a single call. */
export function nextRunAt(schedule: readonly Schedule[], after: Date, timeZone?: string): Date | undefined {
  return createScheduleTimes({ timeZone }).next(schedule, after);
}
