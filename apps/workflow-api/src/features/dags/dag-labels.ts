import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { isVisible, visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import type { DagCatalog } from './dag-catalog';

export interface LabelCount {
  readonly label: string;
  /** The number of DAGs. */
  readonly count: number;
}

export interface GroupCount {
  /** The group is empty for DAGs without one. */
  readonly group: string;
  readonly count: number;
}

export interface LabelsInUse {
  readonly labels: readonly LabelCount[];
  readonly groups: readonly GroupCount[];
}

/**
 * Lists labels and groups of the visible DAGs, sorted. Without a filter by workspace, it also lists the key of each
 * `key=value`.
 */
export async function listLabels(
  catalog: Pick<DagCatalog, 'ready' | 'entries'>,
  query: WorkspaceQuery,
  principal: Principal,
  signal?: AbortSignal,
): Promise<LabelsInUse> {
  const selection = workspaceSelection(query);
  const visible = visibleWorkspaces(principal, selection);
  await catalog.ready(signal);
  const withKeys = (label: string): readonly string[] =>
    selection.kind === 'all' ? [label, label.split('=')[0] ?? label] : [label];
  const labels = new Map<string, number>();
  const groups = new Map<string, number>();
  for (const { dag } of catalog.entries.all()) {
    if (!isVisible(visible, dag.workspace)) continue;
    for (const label of new Set(dag.labels.flatMap(withKeys))) increment(labels, label);
    increment(groups, dag.group ?? '');
  }
  return {
    labels: sorted(labels).map(([label, count]) => ({ label, count })),
    groups: sorted(groups).map(([group, count]) => ({ group, count })),
  };
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}
