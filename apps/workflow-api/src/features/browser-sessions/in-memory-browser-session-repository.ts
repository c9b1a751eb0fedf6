import type { BrowserSession } from './browser-session';
import type { BrowserSessionRepository } from './browser-session-repository';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryBrowserSessionRepository(): BrowserSessionRepository {
  const rows = new Map<string, BrowserSession>();
  return {
    listOfUser: (userId, now) =>
      Promise.resolve(
        [...rows.values()].filter((row) => row.userId === userId && row.expiresAt > now).toSorted(newestFirst),
      ),
    findByDigest: (tokenDigest) => Promise.resolve([...rows.values()].find((row) => row.tokenDigest === tokenDigest)),
    insert: (session) => {
      rows.set(session.id, session);
      return Promise.resolve();
    },
    noteUse: (id, at) => {
      const row = rows.get(id);
      if (row !== undefined) rows.set(id, { ...row, lastUsedAt: at });
      return Promise.resolve();
    },
    remove: (userId, id) => Promise.resolve(rows.get(id)?.userId === userId && rows.delete(id)),
    removeExpired: (now) => {
      for (const { id, expiresAt } of rows.values()) if (expiresAt <= now) rows.delete(id);
      return Promise.resolve();
    },
  };
}

function newestFirst(one: BrowserSession, other: BrowserSession): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}
