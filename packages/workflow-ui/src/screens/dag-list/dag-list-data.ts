import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import type { WorkspaceScope } from '../../parts/workspace/workspace-search';
import type { SendBulk } from '../../parts/bulk/use-bulk';
import type { DagFilter } from './dag-query';

/** The labels in use, with the number of their DAGs. Their key begins like those of live data: they change with DAGs. */
export const labelsQuery = (scope: WorkspaceScope = {}) =>
  queryOptions<Schemas['ListLabelResponse'], Failure>({
    queryKey: ['live', 'labels', scope],
    queryFn: ({ signal }) => unwrap(api.GET('/dags/labels', { params: { query: scope }, signal })),
  });

export const bulkDagActions = ['start', 'suspend', 'resume', 'label', 'delete'] as const;
export type BulkDagAction = (typeof bulkDagActions)[number];

export interface LabelChange {
  readonly addLabels?: string[];
  readonly removeLabels?: string[];
}

export interface BulkDagsOrder extends LabelChange {
  readonly action: BulkDagAction;
  readonly filter: DagFilter;
  /** Limits the change to these files among the matching ones; when missing, all are changed. */
  readonly only?: string[];
}

/** Changes many DAGs, or reports what that would do. */
export function changeDags(order: BulkDagsOrder): SendBulk {
  return ({ dryRun, signal }) =>
    unwrap(api.POST('/bulk/dags', { body: { ...order, dryRun, limit: 1000 }, parseAs: 'stream', signal }));
}
