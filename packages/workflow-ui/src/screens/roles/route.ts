import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const rolesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/roles',
  component: lazyRouteComponent(() => import('./roles-screen'), 'RolesScreen'),
});
