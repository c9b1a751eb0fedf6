import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readText } from '@weir/ui-kit/app';
import { rootRoute } from '../../shell/root-route';

export const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): { readonly q?: string } => readText('q', search),
  component: lazyRouteComponent(() => import('./search-screen'), 'SearchScreen'),
});
