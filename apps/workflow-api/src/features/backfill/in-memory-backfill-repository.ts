import type { Backfill, BackfillRepository, BackfillStep } from './backfill';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryBackfillRepository(): BackfillRepository {
  const rows = new Map<string, Backfill>();
  const ofDag = (dagName: string) => [...rows.values()].filter((row) => row.dagName === dagName).toSorted(newestFirst);
  const change = (row: Backfill | undefined, step: BackfillStep): Promise<boolean> => {
    if (row?.status !== 'active') return Promise.resolve(false);
    rows.set(row.id, { ...row, ...step });
    return Promise.resolve(true);
  };
  return {
    insert: (backfill, keep) => {
      if (ofDag(backfill.dagName).some(({ status }) => status === 'active')) return Promise.resolve(false);
      rows.set(backfill.id, backfill);
      const ended = ofDag(backfill.dagName).filter(({ status }) => status !== 'active');
      for (const { id } of ended.slice(keep)) rows.delete(id);
      return Promise.resolve(true);
    },
    find: (id) => Promise.resolve(rows.get(id)),
    list: (dagName) => Promise.resolve(ofDag(dagName)),
    listActive: () => Promise.resolve([...rows.values()].filter(({ status }) => status === 'active')),
    advance: ({ id, position }, step) => {
      const row = rows.get(id);
      return row?.position === position ? change(row, step) : Promise.resolve(false);
    },
    cancel: (id, at) => change(rows.get(id), { status: 'cancelled', endedAt: at }),
  };
}

function newestFirst(left: Backfill, right: Backfill): number {
  return right.createdAt.getTime() - left.createdAt.getTime() || (left.id < right.id ? 1 : -1);
}
