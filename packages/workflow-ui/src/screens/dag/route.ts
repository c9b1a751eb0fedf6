import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readDagSearch } from '../../parts/dag/dag-search';

export const dagRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dags/$fileName',
  validateSearch: readDagSearch,
  component: lazyRouteComponent(() => import('./dag-screen'), 'DagScreen'),
});
