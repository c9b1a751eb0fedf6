import type { DagFlagRepository } from './dag-flag-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryDagFlagRepository(): DagFlagRepository {
  const flags = new Map<string, { readonly isSuspended: boolean; readonly at: Date }>();
  return {
    find: (fileName) => {
      const flag = flags.get(fileName);
      return Promise.resolve(flag && { suspended: flag.isSuspended, updatedAt: flag.at });
    },
    listSuspended: () =>
      Promise.resolve([...flags].flatMap(([fileName, { isSuspended }]) => (isSuspended ? [fileName] : [])).sort()),
    setSuspended: (fileName, isSuspended, at) => {
      flags.set(fileName, { isSuspended, at });
      return Promise.resolve();
    },
    listReleased: (after) => {
      const released = [...flags].filter(([, { isSuspended, at }]) => !isSuspended && at > after);
      return Promise.resolve(new Map(released.map(([fileName, { at }]) => [fileName, at])));
    },
  };
}
