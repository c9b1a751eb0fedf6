import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentDag, presentWorkspace } from '../dags';
import type { SearchService } from './search-service';

/** Must be bound before the routes of `/dags/{fileName}`, which would treat `/dags/search` as a name. */
export function bindSearchRoutes(bind: Bind, search: SearchService): void {
  bind(workflowContract.searchDags, async ({ input: { query }, principal, signal }) => {
    const { results, problems } = await search.all(query.q, principal, signal);
    return {
      results: results.map(({ item: entry, matches }) => ({
        name: entry.fileName,
        dag: presentDag(entry.dag),
        matches: [...matches],
      })),
      errors: [...problems],
    };
  });

  bind(workflowContract.searchDagFeed, async ({ input: { query }, principal, signal }) => {
    const { results, nextCursor } = await search.feed(query, principal, signal);
    return {
      results: results.map(({ item: entry, matches, hasMore, nextMatchesCursor }) => ({
        fileName: entry.fileName,
        name: entry.dag.name,
        ...presentWorkspace(entry.dag),
        matches: [...matches],
        hasMoreMatches: hasMore,
        ...(nextMatchesCursor === undefined ? {} : { nextMatchesCursor }),
      })),
      hasMore: nextCursor !== undefined,
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  });

  bind(workflowContract.searchDagMatches, async ({ input: { params, query }, principal, signal }) => {
    const { matches, hasMore, nextCursor } = await search.matches(params.fileName, query, principal, signal);
    return { matches: [...matches], hasMore, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
}
