import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { runStatus } from '@weir/workflow-engine/model';
import { canSee, isVisible, visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { parseLabelFilter, type DagRunRepository } from '../runs';
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
  readonly runs: Pick<DagRunRepository, 'listLatestStates'>;
}

export type DagMatcher = (entry: DagEntry) => boolean;

/** Returns the DAGs that pass the filter, by name. Throws `workspace_not_found` or `dags_loading`. */
export async function findDags(
  dependencies: DagFilterDependencies,
  filter: DagFilter,
  { principal, signal }: { readonly principal: Principal; readonly signal?: AbortSignal | undefined },
): Promise<readonly DagEntry[]> {
  const { catalog, suspensions } = dependencies;
  const matches = await dagMatcher(dependencies, filter, principal);
  await catalog.ready(signal);
  await suspensions.refresh();
  // The list is copied, because the list of the catalog changes.
  return catalog.entries.all().filter(matches ?? (() => true));
}

/** Returns `undefined` when every DAG passes. */
export async function dagMatcher(
  { suspensions, runs }: Pick<DagFilterDependencies, 'suspensions' | 'runs'>,
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
  const hasStatus = status === undefined ? undefined : await statusMatcher(runs, new Set(status), principal);
  return ({ dag, fileName, sortKey }) =>
    isVisible(visible, dag.workspace) &&
    (group === undefined || (dag.group ?? '') === group) &&
    (sortKey.includes(wantedName) || fileName.toLowerCase().includes(wantedName)) &&
    (hasLabels === undefined || hasLabels(dag.labels)) &&
    (suspended === undefined || suspensions.has(fileName) === suspended) &&
    (hasStatus === undefined || hasStatus(dag.name));
}

/** A run keeps the workspace in which it was created; a run that the caller may not see is ignored, as in the list. */
async function statusMatcher(
  runs: DagFilterDependencies['runs'],
  wanted: ReadonlySet<number>,
  principal: Principal,
): Promise<(dagName: string) => boolean> {
  const states = await runs.listLatestStates();
  return (dagName) => {
    const latest = states.get(dagName);
    const isSeen = latest !== undefined && canSee(principal, latest.workspace ?? undefined);
    return wanted.has(runStatus.toNumber(isSeen ? latest.status : 'not_started'));
  };
}
