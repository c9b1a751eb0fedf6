import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readChoice, readText } from '../../app/search-values';

export interface DocsSearch {
  /** The path of the document that is shown. */
  readonly doc?: string;
  readonly mode?: 'edit';
}

export const docsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  validateSearch: (search: Record<string, unknown>): DocsSearch => ({
    ...readText('doc', search),
    ...readChoice('mode', ['edit'] as const, search),
  }),
  component: lazyRouteComponent(() => import('./docs-screen'), 'DocsScreen'),
});
