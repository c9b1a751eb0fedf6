import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import { canSee, isVisible, visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { listLatestVisible, parseLabelFilter, type DagRunRepository } from '../runs';
import type { DagCatalog } from './dag-catalog';
import type { DagEntry } from './dag-entry';
import type { Suspensions } from './suspensions';

/** The filter of a request for DAGs. */
export interface DagFilter extends WorkspaceQuery {
  readonly name?: string | undefined;
  readonly labels?: string | undefined;
  readonly tags?: string | undefined;
  /** The whole name of the group; empty for DAGs without one. */
  readonly group?: string | undefined;
  /** Numbers of statuses; the latest run must have one of them. */
  readonly status?: readonly number[] | undefined;
  readonly suspended?: boolean | undefined;
}

export interface DagFilterDependencies {
  readonly catalog: Pick<DagCatalog, 'ready' | 'entries'>;
  readonly suspensions: Pick<Suspensions, 'has' | 'refresh'>;
  readonly runs: Pick<DagRunRepository, 'listLatestStates' | 'listLatest' | 'scan'>;
}

export type DagMatcher = (entry: DagEntry) => boolean;

/** Returns the DAGs that pass the filter, by name. Throws `workspace_not_found` or `dags_loading`. */
export async function findDags(
  dependencies: DagFilterDependencies,
  filter: DagFilter,
  { principal, signal }: { readonly principal: Principal; readonly signal?: AbortSignal | undefined },
): Promise<readonly DagEntry[]> {
  const { catalog, suspensions } = dependencies;
  await catalog.ready(signal);
  const matches = await dagMatcher(dependencies, filter, principal);
  await suspensions.refresh();
  // The list is copied, because the list of the catalog changes.
  return catalog.entries.all().filter(matches ?? (() => true));
}

/** Returns `undefined` when every DAG passes. */
export async function dagMatcher(
  { catalog, suspensions, runs }: DagFilterDependencies,
  filter: DagFilter,
  principal: Principal,
): Promise<DagMatcher | undefined> {
  const { name, labels, tags, group, status, suspended } = filter;
  const visible = visibleWorkspaces(principal, workspaceSelection(filter));
  const hasLabels = parseLabelFilter(labels?.trim() ? labels : tags);
  const wantedName = name?.toLowerCase() ?? '';
  const seesAll = visible.unassigned && visible.named === 'all';
  const filters = [hasLabels, group, status, suspended];
  if (filters.every((value) => value === undefined) && wantedName === '' && seesAll) return undefined;
  const seen = () => catalog.entries.all().filter(({ dag }) => canSee(principal, dag.workspace));
  const hasStatus =
    status === undefined ? undefined : await statusMatcher(runs, { wanted: new Set(status), seen, principal });
  return ({ dag, fileName, sortKey }) =>
    isVisible(visible, dag.workspace) &&
    (group === undefined || (dag.group ?? '') === group) &&
    (sortKey.includes(wantedName) || fileName.toLowerCase().includes(wantedName)) &&
    (hasLabels === undefined || hasLabels(dag.labels)) &&
    (suspended === undefined || suspensions.has(fileName) === suspended) &&
    (hasStatus === undefined || hasStatus(dag.name));
}

interface StatusRequest {
  readonly wanted: ReadonlySet<number>;
  /** Lists the DAGs that the caller may see. */
  readonly seen: () => readonly DagEntry[];
  readonly principal: Principal;
}

/** A run that the caller may not see is ignored, as in the list. */
async function statusMatcher(
  runs: DagFilterDependencies['runs'],
  { wanted, seen, principal }: StatusRequest,
): Promise<(dagName: string) => boolean> {
  const states = new Map<string, Pick<DagRunSummary, 'status'>>();
  const hidden = new Set<string>();
  for (const [dagName, latest] of await runs.listLatestStates()) {
    if (canSee(principal, latest.workspace ?? undefined)) states.set(dagName, latest);
    else hidden.add(dagName);
  }
  const names = hidden.size === 0 ? [] : seen().flatMap(({ dag }) => (hidden.has(dag.name) ? [dag.name] : []));
  for (const [dagName, latest] of await listLatestVisible(runs, names, principal)) states.set(dagName, latest);
  return (dagName) => wanted.has(runStatus.toNumber(states.get(dagName)?.status ?? 'not_started'));
}
