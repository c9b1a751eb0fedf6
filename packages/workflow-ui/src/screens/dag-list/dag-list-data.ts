import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { topicOf, type LiveSource } from '../../api/live-query';
import type { WorkspaceScope } from '../../parts/workspace/workspace-search';
import type { SendBulk } from '../../parts/bulk/use-bulk';
import type { DagFilter } from './dag-query';
import type { DagListSearch } from './search';

export const dagsPerPage = 50;
/** How many of the last runs of each DAG are shown. */
export const recentRuns = 20;

export type DagListPage = DagFilter & Pick<DagListSearch, 'page' | 'sort' | 'order'>;

/** A page of the DAGs that match. */
export function dagListSource({ page = 1, ...filter }: DagListPage): LiveSource<Schemas['ListDAGsResponse']> {
  const query = { ...filter, page, perPage: dagsPerPage, recentRuns };
  return {
    topic: topicOf('dagslist', query),
    read: (signal) => unwrap(api.GET('/dags', { params: { query }, signal })),
  };
}

/** The labels in use, with how many DAGs have each. Their key begins like that of what is live: they change with DAGs. */
export const labelsQuery = (scope: WorkspaceScope = {}) =>
  queryOptions<Schemas['ListLabelResponse'], Failure>({
    queryKey: ['live', 'labels', scope],
    queryFn: ({ signal }) => unwrap(api.GET('/dags/labels', { params: { query: scope }, signal })),
  });

/** Switches the schedule of a DAG off or on. */
export function useSuspendDag() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ fileName, suspend }: { readonly fileName: string; readonly suspend: boolean }) =>
      unwrap(api.POST('/dags/{fileName}/suspend', { params: { path: { fileName } }, body: { suspend } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['live'] }),
  });
}

export const bulkDagActions = ['start', 'suspend', 'resume', 'label', 'delete'] as const;
export type BulkDagAction = (typeof bulkDagActions)[number];

export interface LabelChange {
  readonly addLabels?: string[];
  readonly removeLabels?: string[];
}

export interface BulkDagsOrder extends LabelChange {
  readonly action: BulkDagAction;
  readonly filter: DagFilter;
  /** Files of those that match; all where it is missing. */
  readonly only?: string[];
}

/** Changes many DAGs, or says what that would do. */
export function changeDags(order: BulkDagsOrder): SendBulk {
  return ({ dryRun, signal }) =>
    unwrap(api.POST('/bulk/dags', { body: { ...order, dryRun, limit: 1000 }, parseAs: 'stream', signal }));
}
