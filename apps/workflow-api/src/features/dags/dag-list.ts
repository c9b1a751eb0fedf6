import { pageRequest, paginate } from '@weir/workflow-contract';
import type { Pagination } from '@weir/workflow-contract/schemas';
import type { RunFiles } from '../../run-files';
import type { Principal } from '../../access/principal';
import { findRunsWithArtifacts, listLatestVisible, listRecentVisible, type DagRunRepository } from '../runs';
import type { DagCatalog } from './dag-catalog';
import type { DagEntry } from './dag-entry';
import { dagMatcher, type DagFilter, type DagMatcher } from './dag-filter';
import type { ListedEntry } from './dag-presenter';
import type { Suspensions } from './suspensions';

export interface DagListQuery extends DagFilter {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly sort: 'name' | 'nextRun';
  readonly order: 'asc' | 'desc';
  /** The number of last runs in each entry of the list. */
  readonly recentRuns: number;
}

export interface DagPage {
  readonly entries: readonly ListedEntry[];
  readonly errors: readonly string[];
  readonly pagination: Pagination;
}

export interface DagListDependencies {
  readonly catalog: DagCatalog;
  readonly suspensions: Suspensions;
  readonly runs: Pick<DagRunRepository, 'listLatest' | 'listLatestStates' | 'listRecent' | 'scan'>;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

/** Without a filter the cost depends on the page, not on the number of files. */
export async function listDags(
  dependencies: DagListDependencies,
  query: DagListQuery,
  principal: Principal,
  signal?: AbortSignal,
): Promise<DagPage> {
  const { catalog, suspensions, runs, runFiles } = dependencies;
  await catalog.ready(signal);
  const matches = await dagMatcher(dependencies, query, principal);
  catalog.suspensionChanged(await suspensions.refresh());
  const page = pageRequest(query);
  const { entries, total } =
    matches === undefined ? slice(catalog, query, page) : filter(catalog, query, page, matches);
  const names = [...new Set(entries.map(({ dag }) => dag.name))];
  const [latest, recent] = await Promise.all([
    listLatestVisible(runs, names, principal),
    listRecentVisible(runs, names, { principal, limit: query.recentRuns }),
  ]);
  const withArtifacts = await findRunsWithArtifacts(runFiles, [...latest.values()]);
  return {
    entries: entries.map((entry) => {
      const latestRun = latest.get(entry.dag.name);
      return {
        entry,
        latestRun,
        artifactsAvailable: latestRun !== undefined && withArtifacts.has(latestRun.id),
        nextRun: catalog.getNextRun(entry.fileName),
        isSuspended: suspensions.has(entry.fileName),
        ...(query.recentRuns === 0 ? {} : { recentRuns: recent.get(entry.dag.name) ?? [] }),
      };
    }),
    // They name files whose workspaces are unknown.
    errors: principal.workspaceAccess.all ? catalog.problems : [],
    pagination: paginate(page, total),
  };
}

interface Slice {
  readonly entries: readonly DagEntry[];
  readonly total: number;
}

function slice(
  catalog: DagCatalog,
  { sort, order }: DagListQuery,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Slice {
  const total = catalog.entries.length;
  const start = Math.min((page - 1) * perPage, total);
  if (sort === 'nextRun') return { entries: catalog.pageByNextRun(order, start, perPage), total };
  if (order === 'asc') return { entries: catalog.entries.slice(start, start + perPage), total };
  const end = total - start;
  return { entries: catalog.entries.slice(Math.max(0, end - perPage), end).toReversed(), total };
}

function filter(
  catalog: DagCatalog,
  { sort, order }: DagListQuery,
  { page, perPage }: { readonly page: number; readonly perPage: number },
  matches: DagMatcher,
): Slice {
  const found = inOrder(catalog, sort, order).filter(matches);
  return { entries: found.slice((page - 1) * perPage, page * perPage), total: found.length };
}

function inOrder(catalog: DagCatalog, sort: 'name' | 'nextRun', order: 'asc' | 'desc'): readonly DagEntry[] {
  if (sort === 'nextRun') return catalog.pageByNextRun(order, 0, catalog.entries.length);
  const byName = catalog.entries.all();
  return order === 'asc' ? byName : byName.toReversed();
}
