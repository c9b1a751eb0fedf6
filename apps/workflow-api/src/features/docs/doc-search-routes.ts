import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentHead } from './doc-presenter';
import type { DocSearchService } from './doc-search';

export function bindDocSearchRoutes(bind: Bind, search: DocSearchService): void {
  bind(workflowContract.searchDocs, async ({ input: { query }, principal, signal }) => {
    const results = await search.all(query, principal, signal);
    return { results: results.map((found) => ({ ...presentHead(found.address, found), matches: [...found.matches] })) };
  });

  bind(workflowContract.searchDocFeed, async ({ input: { query }, principal, signal }) => {
    const { results, nextCursor } = await search.feed(query, principal, signal);
    return {
      results: results.map(({ address, matches, hasMore, nextMatchesCursor, ...frontMatter }) => ({
        ...presentHead(address, frontMatter),
        matches: [...matches],
        hasMoreMatches: hasMore,
        ...(nextMatchesCursor === undefined ? {} : { nextMatchesCursor }),
      })),
      hasMore: nextCursor !== undefined,
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  });

  bind(workflowContract.searchDocMatches, async ({ input: { query }, principal }) => {
    const { matches, hasMore, nextCursor } = await search.matches(query.path, query, principal);
    return { matches: [...matches], hasMore, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
}
