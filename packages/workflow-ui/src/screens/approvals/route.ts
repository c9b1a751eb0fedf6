import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readText } from '@weir/ui-kit/app';
import { rootRoute } from '../../shell/root-route';

export interface ApprovalsSearch {
  /** The key of the shown decision. */
  readonly item?: string;
}

export const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals',
  validateSearch: (search: Record<string, unknown>): ApprovalsSearch => readText('item', search),
  component: lazyRouteComponent(() => import('./approvals-screen'), 'ApprovalsScreen'),
});
