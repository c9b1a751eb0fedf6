import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers, SuccessResponse } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { ChangePasswordRequest, LoginRequest, LoginResponse, SetupRequest, UserResponse } from '../users/schemas';

const tag = 'auth';

export const setup = endpoint({
  method: 'POST',
  path: '/auth/setup',
  operationId: 'setup',
  tag,
  summary: 'Create the first admin',
  description: 'Works only while there is no user. Of calls that come at the same time, one wins.',
  access: 'public',
  query: z.object({ remoteNode }),
  body: SetupRequest,
  success: { status: 200, description: 'The first admin, signed in.', schema: LoginResponse },
  errors: {
    400: {
      description: 'The username or password is not acceptable, or the call is meant for another node.',
      reasons: ['request_invalid', 'password_weak', 'remote_node_unknown'],
    },
    403: {
      description: 'Users exist, or sign-in is switched off.',
      reasons: ['setup_completed', 'auth_disabled'],
    },
  },
});

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  operationId: 'login',
  tag,
  summary: 'Sign in with username and password',
  access: 'login',
  body: LoginRequest,
  success: { status: 200, description: 'Signed in.', schema: LoginResponse },
  errors: {
    400: { description: 'The request is not valid.', reasons: ['request_invalid'] },
    401: {
      description: 'The username or password is wrong, the user is disabled, or sign-in is switched off.',
      reasons: ['login_failed', 'user_disabled', 'auth_disabled'],
    },
    429: {
      description: 'Too many failed attempts; the header Retry-After says how long to wait.',
      reasons: ['too_many_attempts'],
    },
  },
});

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/auth/me',
  operationId: 'getCurrentUser',
  tag,
  summary: 'Read who is calling',
  description: 'For an API key the answer is a user whose id is "apikey:" and the id of the key.',
  access: 'authenticated',
  success: { status: 200, description: 'The caller.', schema: UserResponse },
  errors: { 401: errorAnswers.unauthenticated },
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/change-password',
  operationId: 'changePassword',
  tag,
  summary: 'Change the own password',
  description: 'All tokens of the user end, the one of this call included.',
  access: 'authenticated',
  body: ChangePasswordRequest,
  success: { status: 200, description: 'The password was changed.', schema: SuccessResponse },
  errors: {
    400: { description: 'The new password is weak.', reasons: ['request_invalid', 'password_weak'] },
    401: {
      description: 'Not signed in, or the current password is wrong.',
      reasons: ['credential_invalid', 'current_password_wrong'],
    },
    403: { description: 'The caller is an API key, which has no password.', reasons: ['no_password'] },
    429: { description: 'Too many wrong passwords.', reasons: ['too_many_attempts'] },
  },
});
