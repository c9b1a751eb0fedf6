import type { WorkerToken } from './worker-token';
import { workerTokenNotFound, workerTokenTaken } from './worker-token-errors';
import { byName, type WorkerTokenRepository } from './worker-token-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryWorkerTokenRepository(): WorkerTokenRepository {
  const rows = new Map<string, WorkerToken>();
  const all = (): readonly WorkerToken[] => [...rows.values()];
  // The functions are async, so that a refusal is a rejection as with a database.
  return {
    list: () => Promise.resolve(all().toSorted(byName)),
    findByHash: (tokenHash) => Promise.resolve(all().find((token) => token.tokenHash === tokenHash)),
    insert: async (token) => {
      if (rows.has(token.name)) throw workerTokenTaken(token.name);
      await Promise.resolve(rows.set(token.name, token));
    },
    noteUse: (id, { at, notAfter }) => {
      const token = all().find((one) => one.id === id);
      const isDue = token !== undefined && (token.lastUsedAt === undefined || token.lastUsedAt <= notAfter);
      if (isDue) rows.set(token.name, { ...token, lastUsedAt: at });
      return Promise.resolve();
    },
    remove: async (name) => {
      const token = rows.get(name);
      if (token === undefined) throw workerTokenNotFound(name);
      rows.delete(name);
      return Promise.resolve(token);
    },
  };
}
