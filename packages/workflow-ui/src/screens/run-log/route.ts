import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readRunLogSearch } from './search';

export const runLogRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dag-runs/$name/$runId/log',
  validateSearch: readRunLogSearch,
  component: lazyRouteComponent(() => import('./run-log-screen'), 'RunLogScreen'),
});
