import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { liveQueryOptions } from '../../api/live-query';
import { readAhead } from '../../api/query-client';
import { rootRoute } from '../../shell/root-route';
import { readDagListSearch } from './search';

export const dagListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dags',
  validateSearch: readDagListSearch,
  loaderDeps: ({ search: { peek: _peek, ...listed } }) => listed,
  // The rows are requested while the files of the screen are loaded.
  loader: ({ deps }) =>
    readAhead(async () => liveQueryOptions((await import('./dag-list-address')).dagListSourceOf(deps))),
  component: lazyRouteComponent(() => import('./dag-list-screen'), 'DagListScreen'),
});
