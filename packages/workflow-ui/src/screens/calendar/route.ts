import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readChoice } from '../../app/search-values';
import { isDay, type CalendarView, type Day } from './calendar-days';

export interface CalendarSearch {
  readonly view?: CalendarView;
  /** Today, unless told. */
  readonly day?: Day;
}

export const calendarRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar',
  validateSearch: (search: Record<string, unknown>): CalendarSearch => ({
    ...readChoice('view', ['day', 'week'] as const, search),
    ...(isDay(search.day) ? { day: search.day } : {}),
  }),
  component: lazyRouteComponent(() => import('./calendar-screen'), 'CalendarScreen'),
});
