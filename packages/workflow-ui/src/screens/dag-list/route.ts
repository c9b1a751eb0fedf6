import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { liveQueryOptions } from '../../api/live/live-query';
import { readAhead } from '../../app/query-client';
import { rootRoute } from '../../app/root-route';
import { readPage, readText } from '../../app/search-values';

export interface DagListSearch {
  /** What is shown, as a query text. */
  readonly q?: string;
  readonly page?: number;
  readonly sort?: 'nextRun';
  readonly order?: 'desc';
  /** The file of the DAG beside the list. */
  readonly peek?: string;
}

export const dagListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dags',
  validateSearch: (search: Record<string, unknown>): DagListSearch => ({
    ...readText('q', search),
    ...readPage(search),
    ...(search.sort === 'nextRun' ? { sort: 'nextRun' } : {}),
    ...(search.order === 'desc' ? { order: 'desc' } : {}),
    ...readText('peek', search),
  }),
  loaderDeps: ({ search: { peek: _peek, ...listed } }) => listed,
  // The rows are asked for while the files of the screen are on their way.
  loader: ({ deps }) =>
    readAhead(async () => liveQueryOptions((await import('./dag-list-address')).dagListSourceOf(deps))),
  component: lazyRouteComponent(() => import('./dag-list-screen'), 'DagListScreen'),
});
