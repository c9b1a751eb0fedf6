import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { isVisible, visibleWorkspaces, type Principal, type VisibleWorkspaces } from '../auth';
import { parseLabelFilter } from '../dag-runs';
import type { DagCatalog } from './dag-catalog';
import type { DagEntry } from './dag-entry';

/** What selects DAGs, in the terms of a request. */
export interface DagFilter extends WorkspaceQuery {
  readonly name?: string | undefined;
  readonly labels?: string | undefined;
  readonly tags?: string | undefined;
  /** The whole name of the group; empty for DAGs without one. */
  readonly group?: string | undefined;
}

export type DagMatcher = (entry: DagEntry) => boolean;

/** The DAGs that pass the filter, by name. Throws `workspace_not_found` or `dags_loading`. */
export async function findDags(
  catalog: Pick<DagCatalog, 'ready' | 'entries'>,
  filter: DagFilter,
  { principal, signal }: { readonly principal: Principal; readonly signal?: AbortSignal | undefined },
): Promise<readonly DagEntry[]> {
  const matches = dagMatcher(filter, visibleWorkspaces(principal, workspaceSelection(filter)));
  await catalog.ready(signal);
  // A copy: the list of the catalog changes.
  return catalog.entries.all().filter(matches ?? (() => true));
}

/** Nothing when every DAG passes. */
export function dagMatcher(
  { name, labels, tags, group }: DagFilter,
  visible: VisibleWorkspaces,
): DagMatcher | undefined {
  const hasLabels = parseLabelFilter(labels?.trim() ? labels : tags);
  const wantedName = name?.toLowerCase() ?? '';
  const seesAll = visible.unassigned && visible.named === 'all';
  if (hasLabels === undefined && wantedName === '' && group === undefined && seesAll) return undefined;
  return ({ dag, fileName, sortKey }) =>
    isVisible(visible, dag.workspace) &&
    (group === undefined || (dag.group ?? '') === group) &&
    (sortKey.includes(wantedName) || fileName.toLowerCase().includes(wantedName)) &&
    (hasLabels === undefined || hasLabels(dag.labels));
}
