import { readCookie } from '@weir/service-kit';
import type { Strategy } from 'passport';
import { Strategy as CustomStrategy } from 'passport-custom';
import { cookieName, type BrowserSession } from '../browser-sessions';
import type { User } from '../../access/user';
import { toUserPrincipal, type Principal } from '../../access/principal';

export interface SessionStrategyPorts {
  readonly findSession: (token: string) => Promise<BrowserSession | undefined>;
  readonly findUser: (id: string) => Promise<User | undefined>;
}

/** Reads the cookie of a browser. A request with an `Authorization` header has its credential there. */
export function sessionStrategy({ findSession, findUser }: SessionStrategyPorts): Strategy {
  const findPrincipal = async (token: string): Promise<Principal | false> => {
    const session = await findSession(token);
    if (session === undefined) return false;
    const user = await findUser(session.userId);
    if (user === undefined || user.isDisabled || user.tokenVersion !== session.tokenVersion) return false;
    return { ...toUserPrincipal(user), sessionId: session.id };
  };
  return new CustomStrategy((req, done) => {
    const token = req.headers.authorization === undefined ? readCookie(req, cookieName) : undefined;
    if (token === undefined) {
      done(null, false);
      return;
    }
    findPrincipal(token).then((principal) => done(null, principal), done);
  });
}
