import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { isVisible, visibleWorkspaces, type Principal } from '../auth';
import type { DagCatalog } from './dag-catalog';

/** The labels of the visible DAGs. Without a filter by workspace, the key of each `key=value` too. */
export async function listLabels(
  catalog: Pick<DagCatalog, 'ready' | 'entries'>,
  query: WorkspaceQuery,
  principal: Principal,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const selection = workspaceSelection(query);
  const visible = visibleWorkspaces(principal, selection);
  await catalog.ready(signal);
  const labels = catalog.entries
    .all()
    .filter(({ dag }) => isVisible(visible, dag.workspace))
    .flatMap(({ dag }) => dag.labels);
  const keys = selection.kind === 'all' ? labels.map((label) => label.split('=')[0] ?? label) : [];
  return [...new Set([...labels, ...keys])].sort();
}
