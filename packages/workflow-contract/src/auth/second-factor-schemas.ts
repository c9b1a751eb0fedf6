import { z } from 'zod';
import { maxPasswordLength } from '../users/schemas';

/** Six digits of an authenticator, or a recovery code; spaces and dashes in it do not matter. */
export const secondFactorCode = z.string().min(1).max(64);

const password = z.string().min(1).max(maxPasswordLength).describe('The current password.');
const recoveryCodes = z.array(z.string()).describe('Each signs in once without the authenticator.');

export const SecondFactor = z
  .object({
    isEnabled: z.boolean().describe('Whether a sign-in with the password needs a code as well.'),
    enabledAt: z.iso.datetime({ offset: true }).optional().describe('Since when.'),
    recoveryCodesLeft: z.int().min(0).describe('Recovery codes that were not used yet.'),
  })
  .meta({ id: 'SecondFactor', description: 'The second factor of the current user.' });
export type SecondFactor = z.output<typeof SecondFactor>;

export const BeginSecondFactorRequest = z
  .object({ password })
  .meta({ id: 'BeginSecondFactorRequest', description: 'The password, once more.' });

export const SecondFactorSetup = z
  .object({
    secret: z.string().describe('To be typed into an authenticator, in base32. It is not shown again.'),
    address: z.string().describe('The same as an otpauth address, which is shown as a QR code.'),
  })
  .meta({ id: 'SecondFactorSetup', description: 'What an authenticator needs.' });

export const ConfirmSecondFactorRequest = z
  .object({ code: secondFactorCode.describe('The code that the authenticator shows now.') })
  .meta({ id: 'ConfirmSecondFactorRequest', description: 'Shows that the authenticator is set up.' });

export const RecoveryCodes = z
  .object({ recoveryCodes })
  .meta({ id: 'RecoveryCodes', description: 'The recovery codes. They are not shown again.' });

export const DisableSecondFactorRequest = z
  .object({ password, code: secondFactorCode.describe('A code of the authenticator, or a recovery code.') })
  .meta({ id: 'DisableSecondFactorRequest', description: 'The password and a code.' });
