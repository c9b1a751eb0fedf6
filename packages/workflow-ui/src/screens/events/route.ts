import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readText } from '../../app/search-values';

export interface EventsSearch {
  readonly type?: string;
  readonly dag?: string;
  readonly user?: string;
  readonly cursor?: string;
}

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: (search: Record<string, unknown>): EventsSearch => ({
    ...readText('type', search),
    ...readText('dag', search),
    ...readText('user', search),
    ...readText('cursor', search),
  }),
  component: lazyRouteComponent(() => import('./events-screen'), 'EventsScreen'),
});
