import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { topicOf, type LiveSource } from '../../api/live-query';
import type { WorkspaceScope } from '../../parts/workspace/workspace-search';
import { hoursMs, shownHours } from './day-hours';

const shownRuns = 10;
const shownFailures = 5;
const shownDags = 6;
/** The statuses of runs that have not ended: running, queued, waiting. */
const openStatuses = [1, 5, 7];

/** The newest runs of any age. */
export function latestRunsSource(scope: WorkspaceScope): LiveSource<Schemas['DAGRunsPageResponse']> {
  const query = { ...scope, fromDate: 0, limit: shownRuns };
  return {
    topic: topicOf('dagruns', query),
    read: (signal) => unwrap(api.GET('/dag-runs', { params: { query }, signal })),
  };
}

/** The last failures, each with its step and the last line of its log. */
export function failuresSource(scope: WorkspaceScope): LiveSource<Schemas['RunFailuresResponse']> {
  const query = { ...scope, limit: shownFailures };
  return {
    topic: topicOf('runfailures', query),
    read: (signal) => unwrap(api.GET('/run-failures', { params: { query }, signal })),
  };
}

/** The number of runs that have not ended. */
export function openCountsSource(scope: WorkspaceScope): LiveSource<Schemas['DAGRunCountsResponse']> {
  const query = { ...scope, fromDate: 0, status: openStatuses };
  return {
    topic: topicOf('runcounts', { ...query, status: openStatuses.join(',') }),
    read: (signal) => unwrap(api.GET('/run-counts', { params: { query }, signal })),
  };
}

/** The runs of each hour up to that of a time. */
export function hourCountsSource(lastHour: number, scope: WorkspaceScope): LiveSource<Schemas['DAGRunCountsResponse']> {
  const query = { ...scope, fromDate: (lastHour - (shownHours - 1) * hoursMs) / 1000, by: 'hour' } as const;
  return {
    topic: topicOf('runcounts', query),
    read: (signal) => unwrap(api.GET('/run-counts', { params: { query }, signal })),
  };
}

/** The DAGs with the next occurrences, the first one first. */
export function dueDagsSource(scope: WorkspaceScope): LiveSource<Schemas['ListDAGsResponse']> {
  const query = { ...scope, sort: 'nextRun', page: 1, perPage: shownDags } as const;
  return {
    topic: topicOf('dagslist', query),
    read: (signal) => unwrap(api.GET('/dags', { params: { query }, signal })),
  };
}
