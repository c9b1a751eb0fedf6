import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readText } from '@weir/ui-kit/app';
import { rootRoute } from '../../shell/root-route';

export const profilesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profiles',
  // The profile that is open; `_global` and `_workspaces/NAME` for defaults.
  validateSearch: (search: Readonly<Record<string, unknown>>): { readonly profile?: string } =>
    readText('profile', search),
  component: lazyRouteComponent(() => import('./profiles-screen'), 'ProfilesScreen'),
});
