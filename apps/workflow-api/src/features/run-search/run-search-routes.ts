import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentRunSummary } from '../runs';
import type { SearchRuns } from './run-search-service';

export function bindRunSearchRoutes(bind: Bind, search: SearchRuns): void {
  bind(workflowContract.searchDagRunFeed, async ({ input: { query }, principal, signal }) => {
    const { results, nextCursor } = await search(query, principal, signal);
    return {
      results: results.map(({ run, matches }) => {
        const { name, dagRunId, workspace, status, statusLabel, createdAt, startedAt, finishedAt } = presentRunSummary(
          run,
          false,
        );
        return {
          name,
          dagRunId,
          ...(workspace === undefined ? {} : { workspace }),
          status,
          statusLabel,
          createdAt: createdAt ?? '',
          startedAt,
          finishedAt,
          matches: [...matches],
        };
      }),
      hasMore: nextCursor !== undefined,
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  });
}
