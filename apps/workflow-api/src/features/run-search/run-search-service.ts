import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import type { RunMatch } from '@weir/workflow-contract/schemas';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import { z } from 'zod';
import { isVisible, visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { createPageCursors, listHash } from '../../http/page-cursor';
import type { DagRunRepository } from '../runs';
import { mayHaveFailedSteps } from './prisma-run-index';
import type { RunIndex } from './run-index';
import { findRunMatches, searchedWords } from './run-words';

export interface RunSearchDependencies {
  readonly runIndex: RunIndex;
  readonly runs: Pick<DagRunRepository, 'listSummaries' | 'listFailedSteps'>;
}

export interface RunSearch extends WorkspaceQuery {
  readonly q: string;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface RunSearchPage {
  readonly results: readonly { readonly run: DagRunSummary; readonly matches: readonly RunMatch[] }[];
  readonly nextCursor: string | undefined;
}

const maxPosition = 2n ** 63n - 1n;
const cursors = createPageCursors(
  z
    .string()
    .regex(/^\d{1,19}$/)
    .refine((text) => BigInt(text) <= maxPosition),
);
const batch = 100;
/** What a search indexes at most before it looks. The indexer deals with more. */
const maxBatches = 3;

export type SearchRuns = (query: RunSearch, principal: Principal, signal?: AbortSignal) => Promise<RunSearchPage>;

/**
 * Searches runs in the index. What it shows is read from the runs themselves, so that an index that is behind shows
 * nothing that is gone or hidden. Throws `cursor_invalid` or `workspace_not_found`.
 */
export function createRunSearch({ runIndex, runs }: RunSearchDependencies): SearchRuns {
  return async ({ q, cursor, limit, ...selection }, principal, signal) => {
    const workspaces = visibleWorkspaces(principal, workspaceSelection(selection));
    const { workspace, workspaceScope } = selection;
    const hash = listHash({ q, workspace, workspaceScope });
    const before = cursor === undefined ? undefined : BigInt(cursors.read(cursor, hash));
    const words = searchedWords(q);
    if (words.length === 0) return { results: [], nextCursor: undefined };
    for (let left = maxBatches; left > 0 && (await runIndex.catchUp(batch)) === batch; left -= 1)
      signal?.throwIfAborted();
    const found = await runIndex.find({ words, workspaces, before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const stored = await runs.listSummaries(page.map(({ runId }) => runId));
    const failed = await runs.listFailedSteps(mayHaveFailedSteps([...stored.values()]));
    const results = page.flatMap(({ runId }) => {
      const run = stored.get(runId);
      if (run === undefined || !isVisible(workspaces, run.workspace ?? undefined)) return [];
      const matches = findRunMatches(run, failed.get(runId) ?? [], words);
      return matches.length === 0 ? [] : [{ run, matches }];
    });
    const last = found.length > limit ? page.at(-1) : undefined;
    return { results, nextCursor: last && cursors.write(hash, String(last.position)) };
  };
}
