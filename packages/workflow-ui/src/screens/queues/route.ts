import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readText } from '../../app/search-values';

export interface QueuesSearch {
  /** The queue whose runs are listed. */
  readonly queue?: string;
}

export const queuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/queues',
  validateSearch: (search: Record<string, unknown>): QueuesSearch => readText('queue', search),
  component: lazyRouteComponent(() => import('./queues-screen'), 'QueuesScreen'),
});
