import { createRoute, lazyRouteComponent, type SearchSchemaInput } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readRunListSearch, type RunListLink } from './search';

export const runListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: (search: RunListLink & SearchSchemaInput) => readRunListSearch(search),
  component: lazyRouteComponent(() => import('./run-list-screen'), 'RunListScreen'),
});
