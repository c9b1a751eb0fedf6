import type { RunnerRecord, RunnerRepository } from './runner-repository';

/** For specs. Held to the same contract suite as the Prisma repository. */
export function createInMemoryRunnerRepository(): RunnerRepository {
  const runners = new Map<string, RunnerRecord>();
  return {
    beat: (runner) => {
      const known = runners.get(runner.id);
      runners.set(runner.id, { ...runner, ...known, heartbeatAt: runner.heartbeatAt });
      return Promise.resolve();
    },
    listAlive: (since) =>
      Promise.resolve(
        [...runners.values()]
          .filter(({ heartbeatAt }) => heartbeatAt >= since)
          .map(({ id }) => id)
          .sort(),
      ),
    remove: (id) => {
      runners.delete(id);
      return Promise.resolve();
    },
    removeSilentSince: (before) => {
      for (const { id, heartbeatAt } of [...runners.values()]) if (heartbeatAt < before) runners.delete(id);
      return Promise.resolve();
    },
  };
}
