import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readSecretsSearch } from './search';

export const secretsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/secrets',
  validateSearch: readSecretsSearch,
  component: lazyRouteComponent(() => import('./secrets-screen'), 'SecretsScreen'),
});
