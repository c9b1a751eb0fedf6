import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers, SuccessResponse } from '../common/errors';
import { SessionsResponse } from './session-schemas';
import { CreateUserRequest, ResetPasswordRequest, UpdateUserRequest, UserResponse, UsersListResponse } from './schemas';

const tag = 'users';
const access = ['admin'] as const;
const params = z.object({ userId: z.string().min(1).max(64).describe('Id of the user.') });

const unauthenticated = errorAnswers.unauthenticated;
const forbidden = errorAnswers.forbidden;
const notFound = { description: 'There is no such user.', reasons: ['user_not_found'] } as const;
const nameTaken = { description: 'The username is taken.', reasons: ['username_taken'] } as const;
const lastAdmin = {
  description: 'The caller is not an admin, would lock themself out, or would leave no enabled admin.',
  reasons: ['role_missing', 'last_admin', 'own_account'],
} as const;

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  operationId: 'listUsers',
  tag,
  summary: 'List all users',
  access,
  success: { status: 200, description: 'All users, ordered by username.', schema: UsersListResponse },
  errors: { 401: unauthenticated, 403: forbidden },
});

export const createUser = endpoint({
  method: 'POST',
  path: '/users',
  operationId: 'createUser',
  audit: { category: 'user', action: 'user_create' },
  tag,
  summary: 'Create a user',
  access,
  body: CreateUserRequest,
  success: { status: 201, description: 'The new user.', schema: UserResponse },
  errors: {
    400: {
      description: 'The password is weak, or the role or the workspace access is not valid.',
      reasons: ['request_invalid', 'password_weak', 'workspace_access_invalid'],
    },
    401: unauthenticated,
    403: forbidden,
    409: nameTaken,
  },
});

export const getUser = endpoint({
  method: 'GET',
  path: '/users/{userId}',
  operationId: 'getUser',
  tag,
  summary: 'Get a user',
  access,
  params,
  success: { status: 200, description: 'The user.', schema: UserResponse },
  errors: { 401: unauthenticated, 403: forbidden, 404: notFound },
});

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/users/{userId}',
  operationId: 'updateUser',
  audit: { category: 'user', action: 'user_update' },
  tag,
  summary: 'Update a user',
  description: 'The last enabled admin can be neither disabled nor demoted. Users cannot disable themselves.',
  access,
  params,
  body: UpdateUserRequest,
  success: { status: 200, description: 'The updated user.', schema: UserResponse },
  errors: {
    400: {
      description: 'The role or the workspace access is not valid.',
      reasons: ['request_invalid', 'workspace_access_invalid'],
    },
    401: unauthenticated,
    403: lastAdmin,
    404: notFound,
    409: nameTaken,
  },
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/users/{userId}',
  operationId: 'deleteUser',
  audit: { category: 'user', action: 'user_delete' },
  tag,
  summary: 'Delete a user',
  description:
    'The last enabled admin cannot be deleted, and users cannot delete themselves. Invalidates all tokens of the user.',
  access,
  params,
  success: { status: 204, description: 'The user was deleted.' },
  errors: { 401: unauthenticated, 403: lastAdmin, 404: notFound },
});

export const resetUserPassword = endpoint({
  method: 'POST',
  path: '/users/{userId}/reset-password',
  operationId: 'resetUserPassword',
  audit: { category: 'user', action: 'password_reset' },
  tag,
  summary: 'Set a new password for a user',
  description: 'Invalidates all tokens of the user.',
  access,
  params,
  body: ResetPasswordRequest,
  success: { status: 200, description: 'The password was set.', schema: SuccessResponse },
  errors: {
    400: { description: 'The password is weak.', reasons: ['request_invalid', 'password_weak'] },
    401: unauthenticated,
    403: {
      description: 'The caller is not an admin, or the user signs in with another provider.',
      reasons: ['role_missing', 'no_password'],
    },
    404: notFound,
  },
});

export const listUserSessions = endpoint({
  method: 'GET',
  path: '/users/{userId}/sessions',
  operationId: 'listUserSessions',
  tag,
  summary: 'List the sessions of a user',
  access,
  params,
  success: { status: 200, description: 'The sessions that have not ended.', schema: SessionsResponse },
  errors: { 401: unauthenticated, 403: forbidden, 404: notFound },
});

export const deleteUserSession = endpoint({
  method: 'DELETE',
  path: '/users/{userId}/sessions/{sessionId}',
  operationId: 'deleteUserSession',
  audit: { category: 'user', action: 'session_revoke' },
  tag,
  summary: 'End a session of a user',
  access,
  params: params.extend({ sessionId: z.string().min(1).max(64).describe('Id of the session.') }),
  success: { status: 204, description: 'The session has ended.' },
  errors: {
    401: unauthenticated,
    403: forbidden,
    404: { description: 'The user has no such session.', reasons: ['session_not_found'] },
  },
});

export const deleteUserSessions = endpoint({
  method: 'DELETE',
  path: '/users/{userId}/sessions',
  operationId: 'deleteUserSessions',
  audit: { category: 'user', action: 'sessions_revoke' },
  tag,
  summary: 'End all sessions of a user',
  description: 'Invalidates all tokens of the user, too. The user can sign in again.',
  access,
  params,
  success: { status: 204, description: 'All sessions have ended.' },
  errors: { 401: unauthenticated, 403: forbidden, 404: notFound },
});
