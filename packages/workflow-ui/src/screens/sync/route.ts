import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';

export const syncRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sync',
  component: lazyRouteComponent(() => import('./sync-screen'), 'SyncScreen'),
});
