import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readChoice, readText } from '../../app/search-values';
import { logStreams, type LogStream } from '../../parts/log/log-address';

export interface RunLogSearch {
  /** A child run of the run. */
  readonly sub?: string;
  /** Left out for the log of the run. */
  readonly step?: string;
  readonly stream?: LogStream;
}

export const runLogRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dag-runs/$name/$runId/log',
  validateSearch: (search: Record<string, unknown>): RunLogSearch => ({
    ...readText('sub', search),
    ...readText('step', search),
    ...readChoice('stream', logStreams, search),
  }),
  component: lazyRouteComponent(() => import('./run-log-screen'), 'RunLogScreen'),
});
