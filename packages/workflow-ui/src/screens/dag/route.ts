import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readDagSearch } from './search';

export const dagRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dags/$fileName',
  validateSearch: readDagSearch,
  component: lazyRouteComponent(() => import('./dag-screen'), 'DagScreen'),
});
