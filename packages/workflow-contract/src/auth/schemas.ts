import { z } from 'zod';
import { maxPasswordLength, newPassword, newUsername, User } from '../users/schemas';

export const SetupRequest = z
  .object({
    username: newUsername.describe('Name of the first admin.'),
    password: newPassword.describe('At least 8 characters, and not a common password.'),
    setupToken: z
      .string()
      .max(256)
      .optional()
      .describe('Printed by a server that other machines can reach, and needed there.'),
  })
  .meta({ id: 'SetupRequest', description: 'The first admin.' });

export const LoginRequest = z
  .object({
    username: z.string().min(1).max(256).describe('Name of the user.'),
    password: z.string().min(1).max(maxPasswordLength).describe('Password of the user.'),
  })
  .meta({ id: 'LoginRequest', description: 'A username and its password.' });

export const LoginResponse = z
  .object({
    token: z.string().describe('JWT, to be sent as a bearer token.'),
    expiresAt: z.iso.datetime({ offset: true }).describe('When the token expires.'),
    user: User,
  })
  .meta({ id: 'LoginResponse', description: 'A token and its user.' });
export type LoginResponse = z.output<typeof LoginResponse>;

export const ChangePasswordRequest = z
  .object({
    currentPassword: z.string().min(1).max(maxPasswordLength).describe('The current password.'),
    newPassword: newPassword.describe('At least 8 characters, and not a common password.'),
  })
  .meta({ id: 'ChangePasswordRequest', description: 'The old and the new password of the caller.' });
