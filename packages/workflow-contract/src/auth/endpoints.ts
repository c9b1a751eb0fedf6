import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers, SuccessResponse } from '../common/errors';
import { localNode } from '../common/parameters';
import { UserResponse } from '../users/schemas';
import { SessionsResponse } from '../users/session-schemas';
import {
  ChangePasswordRequest,
  LoginRequest,
  LoginResponse,
  SetupRequest,
  SignInState,
  SignOutResponse,
} from './schemas';

const tag = 'auth';

export const setup = endpoint({
  method: 'POST',
  path: '/auth/setup',
  operationId: 'setup',
  audit: { category: 'auth', action: 'setup', recordsFailures: true },
  tag,
  summary: 'Create the first admin',
  description: 'Works only until the first user exists. Of concurrent requests, one succeeds.',
  access: 'public',
  query: z.object({ remoteNode: localNode }),
  body: SetupRequest,
  success: { status: 200, description: 'A token and the first admin.', schema: LoginResponse },
  errors: {
    400: {
      description: 'The username or password is not acceptable, or it is meant for another node.',
      reasons: ['request_invalid', 'password_weak', 'remote_node_unsupported'],
    },
    403: {
      description: 'Users exist already, the set-up token is missing or wrong, or sign-in is disabled.',
      reasons: ['setup_completed', 'setup_token_wrong', 'auth_disabled'],
    },
  },
});

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  operationId: 'login',
  audit: { category: 'auth', action: 'login', recordsFailures: true },
  tag,
  summary: 'Sign in with username and password',
  description: 'Returns 401 with the reason code_required to one with a second factor whose password is right.',
  access: 'login',
  body: LoginRequest,
  success: { status: 200, description: 'The token and its user.', schema: LoginResponse },
  errors: {
    400: { description: 'The request is not valid.', reasons: ['request_invalid'] },
    401: {
      description:
        'The username or password is wrong, the user is disabled, a code is missing or wrong, or sign-in is disabled.',
      reasons: ['login_failed', 'user_disabled', 'code_required', 'code_wrong', 'auth_disabled'],
    },
    429: {
      description: 'Too many failed attempts; the header Retry-After states how long to wait.',
      reasons: ['too_many_attempts'],
    },
  },
});

export const getSignInState = endpoint({
  method: 'GET',
  path: '/auth/state',
  operationId: 'getSignInState',
  tag,
  summary: 'Get how callers sign in',
  access: 'public',
  success: { status: 200, description: 'How callers sign in.', schema: SignInState },
  errors: {},
});

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  operationId: 'logout',
  audit: { category: 'auth', action: 'logout' },
  tag,
  summary: 'Sign this browser out',
  description:
    'Ends the session of the cookie and removes the cookie. Tokens stay valid until they expire. A browser then opens the page of the answer.',
  access: 'authenticated',
  success: { status: 200, description: 'The session has ended.', schema: SignOutResponse },
  errors: { 401: errorAnswers.unauthenticated },
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  operationId: 'listSessions',
  tag,
  summary: 'List the sessions of the current user',
  description: 'An API key has none.',
  access: 'authenticated',
  success: { status: 200, description: 'The sessions that have not ended.', schema: SessionsResponse },
  errors: { 401: errorAnswers.unauthenticated },
});

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/{sessionId}',
  operationId: 'deleteSession',
  audit: { category: 'auth', action: 'session_revoke' },
  tag,
  summary: 'End a session of the current user',
  access: 'authenticated',
  params: z.object({ sessionId: z.string().min(1).max(64).describe('Id of the session.') }),
  success: { status: 204, description: 'The session has ended.' },
  errors: {
    401: errorAnswers.unauthenticated,
    404: { description: 'The current user has no such session.', reasons: ['session_not_found'] },
  },
});

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/auth/me',
  operationId: 'getCurrentUser',
  tag,
  summary: 'Get the current user',
  description: 'For an API key, returns a user whose id is "apikey:" followed by the id of the key.',
  access: 'authenticated',
  success: { status: 200, description: 'The current user.', schema: UserResponse },
  errors: { 401: errorAnswers.unauthenticated },
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/change-password',
  operationId: 'changePassword',
  audit: { category: 'auth', action: 'password_change', recordsFailures: true },
  tag,
  summary: 'Change the password of the current user',
  description: 'Invalidates all tokens of the user, including the one of this request.',
  access: 'authenticated',
  body: ChangePasswordRequest,
  success: { status: 200, description: 'The password was changed.', schema: SuccessResponse },
  errors: {
    400: { description: 'The new password is weak.', reasons: ['request_invalid', 'password_weak'] },
    401: {
      description: 'The credential is not valid, or the current password is wrong.',
      reasons: ['credential_invalid', 'current_password_wrong'],
    },
    403: {
      description: 'The caller has no password: an API key, or a user of another provider.',
      reasons: ['no_password'],
    },
    429: { description: 'Too many wrong passwords.', reasons: ['too_many_attempts'] },
  },
});
