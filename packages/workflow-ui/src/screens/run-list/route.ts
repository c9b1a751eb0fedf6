import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readChoice, readText } from '../../app/search-values';
import { runStatuses, type RunStatusLabel } from '../../parts/run-statuses';
import { RunListScreen } from './run-list-screen';

export interface RunListSearch {
  readonly name?: string;
  readonly status?: RunStatusLabel;
  readonly cursor?: string;
}

export const runListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch: (search: Record<string, unknown>): RunListSearch => ({
    ...readText('name', search),
    ...readChoice('status', runStatuses, search),
    ...readText('cursor', search),
  }),
  component: RunListScreen,
});
