import { workflowContract } from '@weir/workflow-contract';
import type { Session } from '@weir/workflow-contract/schemas';
import type { Bind } from '../../access/bind';
import type { Principal, UserPrincipal } from '../../access/principal';
import type { User } from '../../access/user';
import type { UserStore } from '../users';
import { userNotFound } from '../users/user-errors';
import type { BrowserSession } from './browser-session';
import type { BrowserSessionService } from './browser-session-service';

interface BrowserSessionRoutePorts {
  readonly sessions: BrowserSessionService;
  readonly users: Pick<UserStore, 'findById'>;
  /** Returns the page that signs a user out at their provider. */
  readonly findSignOutPath: (user: User) => string | undefined;
}

export function bindBrowserSessionRoutes(
  bind: Bind,
  { sessions, users, findSignOutPath }: BrowserSessionRoutePorts,
): void {
  bind(workflowContract.logout, async ({ principal, setSessionCookie }) => {
    if (!isUser(principal) || principal.sessionId === undefined) return { signOutPath: null };
    await sessions.end(principal.id, principal.sessionId);
    setSessionCookie(sessions.expiredCookie());
    return { signOutPath: findSignOutPath(principal.user) ?? null };
  });

  bind(workflowContract.listSessions, async ({ principal }) => {
    if (!isUser(principal)) return { sessions: [] };
    const { user, sessionId } = principal;
    return { sessions: (await sessions.list(user)).map((session) => presentSession(session, sessionId)) };
  });

  bind(workflowContract.listUserSessions, async ({ input: { params }, principal }) => {
    const user = await users.findById(params.userId);
    if (user === undefined) throw userNotFound(params.userId);
    const currentId = isUser(principal) ? principal.sessionId : undefined;
    return { sessions: (await sessions.list(user)).map((session) => presentSession(session, currentId)) };
  });

  bind(workflowContract.deleteUserSession, ({ input: { params } }) => sessions.end(params.userId, params.sessionId));

  bind(workflowContract.deleteSession, ({ input, principal }) => sessions.end(principal.id, input.params.sessionId));
}

function isUser(principal: Principal): principal is UserPrincipal {
  return principal.kind === 'user';
}

function presentSession(session: BrowserSession, currentId: string | undefined): Session {
  const { id, createdAt, lastUsedAt, expiresAt, userAgent, address } = session;
  return {
    id,
    userAgent,
    address,
    isCurrent: id === currentId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
