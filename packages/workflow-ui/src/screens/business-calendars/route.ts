import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const businessCalendarsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendars',
  component: lazyRouteComponent(() => import('./business-calendars-screen'), 'BusinessCalendarsScreen'),
});
