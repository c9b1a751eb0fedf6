import type { Database } from '@weir/workflow-db';
import type { DagRunRepository } from '../runs';

/** Returns the next names of DAGs that have runs, in the order of the store. */
export type DagNamesAfter = (after: string | undefined, limit: number) => Promise<readonly string[]>;

export function prismaDagNames({ db }: Pick<Database, 'db'>): DagNamesAfter {
  return async (after, limit) => {
    const rows = await db.dagHead.findMany({
      // The database compares the names, because it also sorts them.
      where: after === undefined ? {} : { dagName: { gt: after } },
      orderBy: { dagName: 'asc' },
      take: limit,
      select: { dagName: true },
    });
    return rows.map(({ dagName }) => dagName);
  };
}

/** Creates the function for specs; it reads at most a thousand runs. */
export function inMemoryDagNames(runs: Pick<DagRunRepository, 'scan'>): DagNamesAfter {
  return async (after = '', limit) => {
    const found = await runs.scan({ limit: 1_000, workspaces: { unassigned: true, named: 'all' } });
    return [...new Set(found.map(({ dagName }) => dagName))]
      .filter((name) => name > after)
      .sort()
      .slice(0, limit);
  };
}
