import type { DagFlagRepository } from './dag-flag-repository';

/** For specs. Held to the same contract suite as the Prisma repository. */
export function createInMemoryDagFlagRepository(): DagFlagRepository {
  const suspended = new Set<string>();
  return {
    listSuspended: () => Promise.resolve([...suspended].sort()),
    setSuspended: (fileName, isSuspended) => {
      if (isSuspended) suspended.add(fileName);
      else suspended.delete(fileName);
      return Promise.resolve();
    },
  };
}
