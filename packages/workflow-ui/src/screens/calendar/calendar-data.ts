import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { topicOf, type LiveSource } from '../../api/live-query';
import type { WorkspaceScope } from '../../parts/workspace/workspace-search';

export interface Range {
  readonly from: Date;
  readonly to: Date;
}

const mostOccurrences = 5000;
const mostRuns = 500;

/** What schedules name in a range. Its key begins like that of what is live: it changes with the DAGs. */
export function occurrencesQuery({ from, to }: Range, scope: WorkspaceScope) {
  const query = { ...scope, after: from.toISOString(), to: to.toISOString(), limit: mostOccurrences };
  return queryOptions<Schemas['ScheduleCalendarResponse'], Failure>({
    queryKey: ['live', 'calendar', query],
    queryFn: ({ signal }) => unwrap(api.GET('/schedules/calendar', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The runs of a range, the newest of very many. */
export function runsSource({ from, to }: Range, scope: WorkspaceScope): LiveSource<Schemas['DAGRunsPageResponse']> {
  const query = {
    ...scope,
    fromDate: Math.floor(from.getTime() / 1000),
    toDate: Math.ceil(to.getTime() / 1000),
    limit: mostRuns,
  };
  return {
    topic: topicOf('dagruns', query),
    read: (signal) => unwrap(api.GET('/dag-runs', { params: { query }, signal })),
  };
}
