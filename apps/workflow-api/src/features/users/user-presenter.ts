import type { User as WireUser, UserResponse } from '@weir/workflow-contract/schemas';
import type { User } from '../../access/user';

export function presentUser(user: User): WireUser {
  return {
    id: user.id,
    username: user.username,
    role: user.role,
    workspaceAccess: user.workspaceAccess,
    authProvider: user.authProvider,
    // The field is omitted when false, as clients of this API expect.
    ...(user.isDisabled ? { isDisabled: true } : {}),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

export function presentUserResponse(user: User): UserResponse {
  return { user: presentUser(user) };
}
