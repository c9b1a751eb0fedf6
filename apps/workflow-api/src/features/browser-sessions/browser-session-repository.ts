import type { BrowserSession as Row, Database } from '@weir/workflow-db';
import type { BrowserSession } from './browser-session';

export interface BrowserSessionRepository {
  /** Lists the newest first; equal ones by id. Expired sessions are left out. */
  listOfUser(userId: string, now: Date): Promise<readonly BrowserSession[]>;
  findByDigest(tokenDigest: string): Promise<BrowserSession | undefined>;
  insert(session: BrowserSession): Promise<void>;
  /** Stores the time of a use; does nothing when the session is deleted. */
  noteUse(id: string, at: Date): Promise<void>;
  /** Returns whether the user had this session. */
  remove(userId: string, id: string): Promise<boolean>;
  removeExpired(now: Date): Promise<void>;
}

export function createPrismaBrowserSessionRepository({ db }: Pick<Database, 'db'>): BrowserSessionRepository {
  return {
    listOfUser: async (userId, now) =>
      (
        await db.browserSession.findMany({
          where: { userId, expiresAt: { gt: now } },
          orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
        })
      ).map(fromRow),
    findByDigest: async (tokenDigest) => {
      const row = await db.browserSession.findUnique({ where: { tokenDigest } });
      return row === null ? undefined : fromRow(row);
    },
    insert: async (session) => {
      await db.browserSession.create({ data: session });
    },
    noteUse: async (id, at) => {
      await db.browserSession.updateMany({ where: { id }, data: { lastUsedAt: at } });
    },
    remove: async (userId, id) => (await db.browserSession.deleteMany({ where: { id, userId } })).count > 0,
    removeExpired: async (now) => {
      await db.browserSession.deleteMany({ where: { expiresAt: { lte: now } } });
    },
  };
}

function fromRow(row: Row): BrowserSession {
  const { id, userId, tokenVersion, tokenDigest, userAgent, address, createdAt, lastUsedAt, expiresAt } = row;
  return { id, userId, tokenVersion, tokenDigest, userAgent, address, createdAt, lastUsedAt, expiresAt };
}
