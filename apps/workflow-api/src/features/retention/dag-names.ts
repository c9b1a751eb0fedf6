import type { Database } from '@weir/workflow-db';
import type { DagRunRepository } from '../dag-runs';

/** Some names of DAGs that have runs, in an order of the store's own, after this one. */
export type DagNamesAfter = (after: string | undefined, limit: number) => Promise<readonly string[]>;

export function prismaDagNames({ db }: Pick<Database, 'db'>): DagNamesAfter {
  return async (after, limit) => {
    const rows = await db.dagHead.findMany({
      // Compared by the database, which also orders by it.
      where: after === undefined ? {} : { dagName: { gt: after } },
      orderBy: { dagName: 'asc' },
      take: limit,
      select: { dagName: true },
    });
    return rows.map(({ dagName }) => dagName);
  };
}

/** For specs: looks at a thousand runs at the most. */
export function inMemoryDagNames(runs: Pick<DagRunRepository, 'scan'>): DagNamesAfter {
  return async (after = '', limit) => {
    const found = await runs.scan({ limit: 1_000, workspaces: { unassigned: true, named: 'all' } });
    return [...new Set(found.map(({ dagName }) => dagName))]
      .filter((name) => name > after)
      .sort()
      .slice(0, limit);
  };
}
