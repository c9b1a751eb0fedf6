import type { WorkerRecord, WorkerRepository } from './worker-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryWorkerRepository(): WorkerRepository {
  const workers = new Map<string, WorkerRecord>();
  const isSilent = ({ heartbeatAt }: WorkerRecord, ms: number): boolean => Date.now() - heartbeatAt.getTime() > ms;
  return {
    beat: (worker) => {
      workers.set(worker.id, { ...worker, ...workers.get(worker.id), heartbeatAt: new Date() });
      return Promise.resolve();
    },
    list: () => {
      const listed = [...workers.values()].map((worker) => ({
        ...worker,
        databaseUser: '',
        silentMs: Date.now() - worker.heartbeatAt.getTime(),
      }));
      return Promise.resolve(listed.sort((left, right) => left.startedAt.getTime() - right.startedAt.getTime()));
    },
    listAlive: (withinMs) => {
      const alive = [...workers.values()].filter((worker) => !isSilent(worker, withinMs));
      return Promise.resolve(alive.map(({ id }) => id).sort());
    },
    remove: (id) => {
      workers.delete(id);
      return Promise.resolve();
    },
    removeAll: (idPrefix) => {
      for (const id of [...workers.keys()]) if (id.startsWith(idPrefix)) workers.delete(id);
      return Promise.resolve();
    },
    removeSilent: (forMs) => {
      for (const worker of [...workers.values()]) if (isSilent(worker, forMs)) workers.delete(worker.id);
      return Promise.resolve();
    },
  };
}
