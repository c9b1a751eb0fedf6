import type { RunnerRecord, RunnerRepository } from './runner-repository';

/** For specs. Held to the same contract suite as the Prisma repository. */
export function createInMemoryRunnerRepository(): RunnerRepository {
  const runners = new Map<string, RunnerRecord>();
  const isSilent = ({ heartbeatAt }: RunnerRecord, ms: number): boolean => Date.now() - heartbeatAt.getTime() > ms;
  return {
    beat: (runner) => {
      runners.set(runner.id, { ...runner, ...runners.get(runner.id), heartbeatAt: new Date() });
      return Promise.resolve();
    },
    listAlive: (withinMs) => {
      const alive = [...runners.values()].filter((runner) => !isSilent(runner, withinMs));
      return Promise.resolve(alive.map(({ id }) => id).sort());
    },
    remove: (id) => {
      runners.delete(id);
      return Promise.resolve();
    },
    removeSilent: (forMs) => {
      for (const runner of [...runners.values()]) if (isSilent(runner, forMs)) runners.delete(runner.id);
      return Promise.resolve();
    },
  };
}
