import { isVisible } from '../../access/access-rules';
import type { DagRunRepository } from '../runs';
import type { RunIndex } from './run-index';
import { findRunMatches } from './run-words';

const everywhere = { unassigned: true, named: 'all' } as const;

/** Creates an index for specs, which reads at most a thousand runs. */
export function createInMemoryRunIndex(runs: Pick<DagRunRepository, 'scan' | 'listFailedSteps'>): RunIndex {
  return {
    catchUp: () => Promise.resolve(0),
    find: async ({ words, workspaces, before, limit }) => {
      const stored = await runs.scan({ limit: 1_000, workspaces: everywhere });
      const failed = await runs.listFailedSteps(stored.map(({ id }) => id));
      return stored
        .map((run, index) => ({ run, position: (BigInt(run.createdAt.getTime()) << 20n) - BigInt(index) }))
        .filter(
          ({ run, position }) =>
            isVisible(workspaces, run.workspace ?? undefined) &&
            (before === undefined || position < before) &&
            findRunMatches(run, failed.get(run.id) ?? [], words).length > 0,
        )
        .slice(0, limit)
        .map(({ run, position }) => ({ runId: run.id, position }));
    },
  };
}
