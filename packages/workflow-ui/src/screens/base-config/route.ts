import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const baseConfigRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/base-config',
  component: lazyRouteComponent(() => import('./base-config-screen'), 'BaseConfigScreen'),
});
