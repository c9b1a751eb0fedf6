import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { isVisible, visibleWorkspaces, type Principal } from '../auth';
import type { DagCatalog } from './dag-catalog';

export interface LabelCount {
  readonly label: string;
  /** Of DAGs. */
  readonly count: number;
}

/** The labels of the visible DAGs, sorted. Without a filter by workspace, the key of each `key=value` too. */
export async function listLabels(
  catalog: Pick<DagCatalog, 'ready' | 'entries'>,
  query: WorkspaceQuery,
  principal: Principal,
  signal?: AbortSignal,
): Promise<readonly LabelCount[]> {
  const selection = workspaceSelection(query);
  const visible = visibleWorkspaces(principal, selection);
  await catalog.ready(signal);
  const withKeys = (label: string): readonly string[] =>
    selection.kind === 'all' ? [label, label.split('=')[0] ?? label] : [label];
  const counts = new Map<string, number>();
  for (const { dag } of catalog.entries.all()) {
    if (!isVisible(visible, dag.workspace)) continue;
    for (const label of new Set(dag.labels.flatMap(withKeys))) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts]
    .map(([label, count]) => ({ label, count }))
    .sort((one, other) => (one.label < other.label ? -1 : 1));
}
