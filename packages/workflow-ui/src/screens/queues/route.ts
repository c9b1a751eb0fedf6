import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readText } from '@weir/ui-kit/app';
import { rootRoute } from '../../shell/root-route';

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
