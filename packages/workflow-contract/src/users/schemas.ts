import { z } from 'zod';
import { UserRole } from '../common/roles';
import { WorkspaceAccess } from '../common/workspace-access';

export const minPasswordLength = 8;
/** Upper bound in characters; the hash takes any text, an unbounded one would be a way to burn the server's time. */
export const maxPasswordLength = 1024;

// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const hasNoControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** A username that may be given to a user. */
export const newUsername = z
  .string()
  .min(1)
  .max(64)
  .regex(hasNoControlCharacters, 'must not contain control characters')
  .refine((name) => name === name.trim() && name !== '', 'must not begin or end with white space');

// The shortest length is for the service to refuse, as all weakness is: after set-up it must answer 403 to any password.
export const newPassword = z.string().max(maxPasswordLength).meta({ minLength: minPasswordLength });
const timestamp = z.iso.datetime({ offset: true });

/** Where a user proves who they are. */
export const AuthProvider = z
  .enum(['builtin', 'oidc', 'proxy'])
  .meta({ id: 'UserAuthProvider', description: '"builtin" signs in with a password of this server.' });
export type AuthProvider = z.output<typeof AuthProvider>;

export const User = z
  .object({
    id: z.string().describe('UUID.'),
    username: z.string().describe('Unique name, case-sensitive.'),
    role: UserRole,
    workspaceAccess: WorkspaceAccess,
    authProvider: AuthProvider.optional(),
    isDisabled: z.boolean().optional().describe('Present and true if the user may not sign in.'),
    createdAt: timestamp.describe('When the user was created.'),
    updatedAt: timestamp.describe('When the user was last changed.'),
  })
  .meta({ id: 'User', description: 'A person who can sign in. The password hash never leaves the server.' });
export type User = z.output<typeof User>;

export const UserResponse = z.object({ user: User }).meta({ id: 'UserResponse', description: 'One user.' });
export type UserResponse = z.output<typeof UserResponse>;

export const UsersListResponse = z
  .object({ users: z.array(User).describe('Ordered by username.') })
  .meta({ id: 'UsersListResponse', description: 'All users.' });

export const CreateUserRequest = z
  .object({
    username: newUsername.describe('Unique name: 1 to 64 characters.'),
    password: newPassword.describe('At least 8 characters, and not a common password.'),
    role: UserRole,
    workspaceAccess: WorkspaceAccess.optional(),
  })
  .meta({ id: 'CreateUserRequest', description: 'A new user.' });
export type CreateUserRequest = z.output<typeof CreateUserRequest>;

export const UpdateUserRequest = z
  .object({
    username: newUsername.optional().describe('New unique name.'),
    role: UserRole.optional(),
    workspaceAccess: WorkspaceAccess.optional(),
    isDisabled: z.boolean().optional().describe('True invalidates all tokens of the user.'),
  })
  .meta({ id: 'UpdateUserRequest', description: 'The fields to change; omitted fields are not changed.' });
export type UpdateUserRequest = z.output<typeof UpdateUserRequest>;

export const ResetPasswordRequest = z
  .object({ newPassword: newPassword.describe('At least 8 characters, and not a common password.') })
  .meta({ id: 'ResetPasswordRequest', description: 'A new password, set by an admin.' });
