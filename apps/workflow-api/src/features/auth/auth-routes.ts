import type { Endpoint } from '@weir/http-contract';
import type { HandlerContext } from '@weir/service-kit';
import { workflowContract } from '@weir/workflow-contract';
import type { LoginResponse, User as WireUser } from '@weir/workflow-contract/schemas';
import type { Bind } from '../../access/bind';
import type { BrowserSessionService } from '../browser-sessions';
import { presentUser, presentUserResponse } from '../users';
import type { User } from '../../access/user';
import { authDisabled, authDisabledForSetup, credentialInvalid } from '../../access/auth-errors';
import type { AuthService, SignedIn } from './auth-service';
import type { Principal } from '../../access/principal';

export function bindAuthRoutes(bind: Bind, auth: AuthService, sessions: BrowserSessionService): void {
  const openSession = async (context: SignInContext, signedIn: SignedIn): Promise<LoginResponse> => {
    const { input, userAgent, clientAddress, setSessionCookie } = context;
    if (input.body.session === true) {
      setSessionCookie(await sessions.open(signedIn.user, { userAgent, address: clientAddress }));
    }
    return presentSignedIn(signedIn);
  };

  bind(workflowContract.getSignInState, () => auth.getState());

  bind(workflowContract.setup, async (context) => {
    return openSession(context, await auth.setup(context.input.body, context.audit));
  });

  bind(workflowContract.login, (context) => openSession(context, auth.signIn(requireUser(context.principal))));

  bind(workflowContract.getCurrentUser, ({ principal }) =>
    principal.kind === 'api-key' || principal.kind === 'job'
      ? { user: presentProgram(principal) }
      : presentUserResponse(requireUser(principal)),
  );

  bind(workflowContract.changePassword, async ({ input, principal, audit, clientAddress }) => {
    const { currentPassword, newPassword } = input.body;
    await auth.changePassword({ principal, audit }, clientAddress, { current: currentPassword, next: newPassword });
    return { message: 'The password was changed.' };
  });
}

type SignInContext = Pick<
  HandlerContext<typeof workflowContract.login | typeof workflowContract.setup, Principal>,
  'input' | 'userAgent' | 'clientAddress' | 'setSessionCookie'
>;

/** Binds the answers of operations on users, keys and sign-in for a server whose sign-in is disabled. */
export function bindClosedRoutes(bind: Bind): void {
  bind(workflowContract.setup, () => {
    throw authDisabledForSetup();
  });
  bind(workflowContract.getSignInState, () => ({
    mode: 'none' as const,
    needsSetup: false,
    needsSetupToken: false,
    providers: [],
  }));
  for (const endpoint of listEndpointsOfSignIn()) {
    bind(endpoint, () => {
      throw authDisabled();
    });
  }
}

function listEndpointsOfSignIn(): readonly Endpoint[] {
  const { setup, getSignInState } = workflowContract;
  const open: readonly string[] = [setup.operationId, getSignInState.operationId];
  return Object.values(workflowContract).filter(
    ({ tag, operationId }) => ['auth', 'users', 'api-keys'].includes(tag) && !open.includes(operationId),
  );
}

function requireUser(principal: Principal): User {
  if (principal.kind !== 'user') throw credentialInvalid();
  return principal.user;
}

function presentSignedIn({ token, expiresAt, user }: SignedIn): LoginResponse {
  return { token, expiresAt: expiresAt.toISOString(), user: presentUser(user) };
}

/** Unlike users, API keys and CI jobs have no dates; clients know them by their ids and by the year 1. */
function presentProgram({ id, name, role, workspaceAccess }: Principal): WireUser {
  const never = '0001-01-01T00:00:00Z';
  return { id, username: name, role, workspaceAccess, authProvider: 'builtin', createdAt: never, updatedAt: never };
}
