import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readPage, readText } from '../../app/search-values';

export interface SecretsSearch {
  /** Default: what all workspaces share. */
  readonly workspace?: string;
  readonly page?: number;
}

export const secretsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/secrets',
  validateSearch: (search: Record<string, unknown>): SecretsSearch => ({
    ...readText('workspace', search),
    ...readPage(search),
  }),
  component: lazyRouteComponent(() => import('./secrets-screen'), 'SecretsScreen'),
});
