import { readChoice } from '@weir/ui-kit/app';
import { isDay, type CalendarView, type Day } from './calendar-days';

export interface CalendarSearch {
  readonly view?: CalendarView;
  /** Default: today. */
  readonly day?: Day;
}

export function readCalendarSearch(search: Readonly<Record<string, unknown>>): CalendarSearch {
  return {
    ...readChoice('view', ['day', 'week'] as const, search),
    ...(isDay(search.day) ? { day: search.day } : {}),
  };
}
