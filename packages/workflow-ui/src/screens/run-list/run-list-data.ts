import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { topicOf, type LiveSource } from '../../api/live-query';
import type { SendBulk } from '../../parts/bulk/use-bulk';
import type { RunFilter } from './run-query';

export const runsPerPage = 50;

/** A page of the matching runs, newest first. */
export function runListSource(filter: RunFilter, cursor?: string): LiveSource<Schemas['DAGRunsPageResponse']> {
  const query = { ...filter, ...(cursor === undefined ? {} : { cursor }), limit: runsPerPage };
  return {
    topic: topicOf('dagruns', query),
    read: (signal) => unwrap(api.GET('/dag-runs', { params: { query }, signal })),
  };
}

export const bulkRunActions = ['retry', 'stop', 'dequeue', 'delete'] as const;
export type BulkRunAction = (typeof bulkRunActions)[number];

export interface BulkRunsTarget {
  readonly filter: RunFilter;
  /** Limits the change to these runs among the matching ones; when missing, all are changed. */
  readonly only?: Schemas['DAGRunName'][];
}

/** Changes many runs, or reports what that would do. */
export function changeRuns(action: BulkRunAction, { filter, only }: BulkRunsTarget): SendBulk {
  return ({ dryRun, signal }) =>
    unwrap(
      api.POST('/bulk/dag-runs', {
        body: { action, filter, dryRun, limit: 1000, ...(only === undefined ? {} : { only }) },
        parseAs: 'stream',
        signal,
      }),
    );
}
