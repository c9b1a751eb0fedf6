import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readChoice, readText } from '@weir/ui-kit/app';
import { rootRoute } from '../../shell/root-route';

export interface DocsSearch {
  /** The path of the document that is shown. */
  readonly doc?: string;
  readonly mode?: 'edit';
  /** The line of its file to show. */
  readonly line?: number;
}

export const docsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  validateSearch: (search: Record<string, unknown>): DocsSearch => ({
    ...readText('doc', search),
    ...readChoice('mode', ['edit'] as const, search),
    ...readLine(search.line),
  }),
  component: lazyRouteComponent(() => import('./docs-screen'), 'DocsScreen'),
});

function readLine(line: unknown): Pick<DocsSearch, 'line'> {
  return typeof line === 'number' && Number.isInteger(line) && line > 0 ? { line } : {};
}
