import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readText } from '../../app/search-values';

export const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): { readonly q?: string } => readText('q', search),
  component: lazyRouteComponent(() => import('./search-screen'), 'SearchScreen'),
});
