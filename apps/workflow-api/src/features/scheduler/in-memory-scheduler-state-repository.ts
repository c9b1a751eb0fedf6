import type { SchedulerStateRepository } from './scheduler-state-repository';

/** Creates a repository for specs. It passes the same specs as the Prisma repository. */
export function createInMemorySchedulerStateRepository(): SchedulerStateRepository {
  const watermarks = new Map<string, Date>();
  return {
    read: () => Promise.resolve(new Map(watermarks)),
    find: (name) => Promise.resolve(watermarks.get(name)),
    advance: (names, to) => {
      for (const name of names) {
        const present = watermarks.get(name);
        if (present === undefined || present < to) watermarks.set(name, to);
      }
      return Promise.resolve();
    },
  };
}
