import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const syncRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sync',
  component: lazyRouteComponent(() => import('./sync-screen'), 'SyncScreen'),
});
