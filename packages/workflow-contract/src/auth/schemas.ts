import { z } from 'zod';
import { secondFactorCode } from './second-factor-schemas';
import { maxPasswordLength, newPassword, newUsername, User } from '../users/schemas';

const session = z
  .boolean()
  .optional()
  .describe('Also opens a session of this browser, whose credential is the cookie weir_session.');

export const SetupRequest = z
  .object({
    username: newUsername.describe('Name of the first admin.'),
    password: newPassword.describe('At least 8 characters, and not a common password.'),
    setupToken: z
      .string()
      .max(256)
      .optional()
      .describe('Printed by a server that other machines can reach, and needed there.'),
    session,
  })
  .meta({ id: 'SetupRequest', description: 'The first admin.' });

export const LoginRequest = z
  .object({
    username: z.string().min(1).max(256).describe('Name of the user.'),
    password: z.string().min(1).max(maxPasswordLength).describe('Password of the user.'),
    code: secondFactorCode
      .optional()
      .describe('Of a user with a second factor: six digits of the authenticator, or a recovery code.'),
    session,
  })
  .meta({ id: 'LoginRequest', description: 'A username, its password and, where it has a second factor, a code.' });

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

export const SignOutResponse = z
  .object({
    signOutPath: z
      .string()
      .nullable()
      .describe(
        'Page, below the base path, that signs the browser out at the identity provider as well; null without one.',
      ),
  })
  .meta({ id: 'SignOutResponse', description: 'What is left to do after a sign-out.' });

const SignInProvider = z
  .object({
    kind: z.enum(['oidc', 'proxy']).describe('Who says who a person is.'),
    id: z.string().describe('Names the provider among those of the server.'),
    label: z.string().describe('Text of its button.'),
    path: z.string().describe('Page that begins the sign-in, below the base path.'),
  })
  .meta({ id: 'SignInProvider', description: 'Another way for people to sign in.' });

export const SignInState = z
  .object({
    mode: z.enum(['builtin', 'none']).describe('With "none" no credential is required.'),
    needsSetup: z.boolean().describe('Whether the first admin is still to be created.'),
    needsSetupToken: z.boolean().describe('Whether creating it requires the set-up token.'),
    providers: z.array(SignInProvider).describe('Other ways for people to sign in.'),
  })
  .meta({ id: 'SignInState', description: 'How callers sign in to this server.' });
export type SignInState = z.output<typeof SignInState>;
