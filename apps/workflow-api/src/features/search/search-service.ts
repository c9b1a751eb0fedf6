import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { isVisible, visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { parseLabelFilter } from '../runs';
import { dagNotFound, type DagCatalog, type DagEntry, type DagFileStore } from '../dags';
import { collectMatches, type CollectOptions } from './collect-matches';
import { findMatches, type FoundMatches } from './find-matches';
import { readSearchCursor, searchHash, writeSearchCursor } from './search-cursor';

export interface SearchDependencies {
  readonly catalog: Pick<DagCatalog, 'ready' | 'entries' | 'problems'>;
  readonly store: Pick<DagFileStore, 'read'>;
}

export interface DagSearch extends WorkspaceQuery {
  readonly q: string;
  readonly labels?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

const maxResults = 1000;
const maxMatches = 50;

export type SearchService = ReturnType<typeof createSearchService>;

/** Searches the specs of DAG files. Files are read when they are searched: their texts are not kept in memory. */
export function createSearchService({ catalog, store }: SearchDependencies) {
  const listVisible = async (query: Omit<DagSearch, 'q' | 'limit'>, principal: Principal, signal?: AbortSignal) => {
    const visible = visibleWorkspaces(principal, workspaceSelection(query));
    const hasLabels = parseLabelFilter(query.labels);
    await catalog.ready(signal);
    return catalog.entries
      .all()
      .filter(({ dag }) => isVisible(visible, dag.workspace) && (hasLabels === undefined || hasLabels(dag.labels)));
  };

  const collect = (entries: readonly DagEntry[], options: CollectOptions) =>
    collectMatches(entries, ({ fileName }) => readText(store, fileName), options);

  return {
    /** Searches the first 1,000 DAGs. */
    async all(q: string, principal: Principal, signal?: AbortSignal) {
      const found = await collect(await listVisible({}, principal, signal), {
        q,
        signal,
        limit: maxResults,
        matchLimit: maxMatches,
      });
      return { results: found.slice(0, maxResults), problems: catalog.problems };
    },

    /** Returns a page of DAGs with the first match of each. Throws `cursor_invalid` or `workspace_not_found`. */
    async feed(query: DagSearch, principal: Principal, signal?: AbortSignal) {
      const { q, labels, workspace, workspaceScope, cursor, limit } = query;
      const hash = searchHash({ q, labels, workspace, workspaceScope });
      const after = cursor === undefined ? undefined : readSearchCursor(cursor, hash);
      const [afterKey, afterName] = Array.isArray(after) ? after : ['', ''];
      const entries = (await listVisible(query, principal, signal)).filter(
        ({ sortKey, fileName }) => sortKey > afterKey || (sortKey === afterKey && fileName > afterName),
      );
      const found = await collect(entries, { q, signal, limit, matchLimit: 1 });
      const results = found.slice(0, limit).map((result) => ({
        ...result,
        nextMatchesCursor: nextCursor(matchHash(query, result.item.fileName), result),
      }));
      const last = found.length > limit ? results.at(-1)?.item : undefined;
      return { results, nextCursor: last && writeSearchCursor(hash, [last.sortKey, last.fileName]) };
    },

    /** Returns a page of the matches of one DAG. Throws also `dag_not_found`. */
    async matches(fileName: string, query: DagSearch, principal: Principal, signal?: AbortSignal) {
      const entries = await listVisible(query, principal, signal);
      if (!entries.some((entry) => entry.fileName === fileName)) throw dagNotFound(fileName);
      const hash = matchHash(query, fileName);
      const after = query.cursor === undefined ? 0 : readSearchCursor(query.cursor, hash);
      const afterLine = typeof after === 'number' ? after : 0;
      const found = findMatches(await readText(store, fileName), query.q, { afterLine, limit: query.limit });
      return { ...found, nextCursor: nextCursor(hash, found) };
    },
  };
}

async function readText(store: SearchDependencies['store'], fileName: string): Promise<string> {
  const file = await store.read(fileName);
  return file?.kind === 'text' ? file.text : '';
}

function matchHash({ q }: Pick<DagSearch, 'q'>, fileName: string): string {
  return searchHash({ q, fileName });
}

function nextCursor(hash: string, { matches, hasMore }: FoundMatches): string | undefined {
  const last = matches.at(-1);
  return hasMore && last !== undefined ? writeSearchCursor(hash, last.lineNumber) : undefined;
}
