import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readEventsSearch } from './search';

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: readEventsSearch,
  component: lazyRouteComponent(() => import('./events-screen'), 'EventsScreen'),
});
