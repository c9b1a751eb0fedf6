import { AppError } from '@weir/foundation';
import type { SessionCookie } from '@weir/service-kit';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { User } from '../../access/user';
import { cookieName, digestToken, looksLikeToken, tokenBytes, type BrowserSession } from './browser-session';
import type { BrowserSessionRepository } from './browser-session-repository';

export interface BrowserSessionPorts {
  readonly sessions: BrowserSessionRepository;
  /** The path of the server; browsers send the cookie only there. */
  readonly cookiePath: string;
  readonly tokenTtlSeconds: number;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** The facts about a browser at its sign-in. */
export interface Browser {
  readonly userAgent: string;
  readonly address: string;
}

export type BrowserSessionService = ReturnType<typeof createBrowserSessionService>;

const useNotedEveryMs = 60_000;
const maxUserAgentLength = 256;

export function createBrowserSessionService(ports: BrowserSessionPorts) {
  const { sessions, cookiePath, tokenTtlSeconds, clock, random } = ports;
  return {
    /** Opens a session of a user who has signed in, and returns its cookie. */
    async open(user: Pick<User, 'id' | 'tokenVersion'>, { userAgent, address }: Browser): Promise<SessionCookie> {
      const now = clock.now();
      const token = Buffer.from(random.bytes(tokenBytes)).toString('base64url');
      const expiresAt = new Date(now.getTime() + tokenTtlSeconds * 1000);
      await sessions.removeExpired(now);
      await sessions.insert({
        id: random.uuid(),
        userId: user.id,
        tokenVersion: user.tokenVersion,
        tokenDigest: digestToken(token),
        userAgent: userAgent.slice(0, maxUserAgentLength),
        address,
        createdAt: now,
        lastUsedAt: now,
        expiresAt,
      });
      return { name: cookieName, value: token, path: cookiePath, expires: expiresAt };
    },

    /** Returns the session of a cookie's value, or `undefined` for one that is unknown or has ended. */
    async find(token: string): Promise<BrowserSession | undefined> {
      if (!looksLikeToken(token)) return undefined;
      const session = await sessions.findByDigest(digestToken(token));
      const now = clock.now();
      if (session === undefined || session.expiresAt <= now) return undefined;
      // Storing every use would make each read a write.
      if (now.getTime() - session.lastUsedAt.getTime() >= useNotedEveryMs) await sessions.noteUse(session.id, now);
      return session;
    },

    /** Lists the sessions of a user that are still valid. */
    async list({ id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>): Promise<readonly BrowserSession[]> {
      return (await sessions.listOfUser(id, clock.now())).filter((session) => session.tokenVersion === tokenVersion);
    },

    /** Throws `session_not_found`. */
    async end(userId: string, id: string): Promise<void> {
      if (!(await sessions.remove(userId, id))) throw sessionNotFound(id);
    },

    /** Returns a cookie that removes the session's cookie from the browser. */
    expiredCookie: (): SessionCookie => ({ name: cookieName, value: '', path: cookiePath, expires: new Date(0) }),
  };
}

function sessionNotFound(id: string): AppError {
  return new AppError('not_found', `There is no session "${id}".`, { reason: 'session_not_found' });
}
