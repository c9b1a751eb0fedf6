import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readRunSearch } from './search';

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dag-runs/$name/$runId',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./run-screen'), 'RunScreen'),
});
