import { isAppError } from '@weir/foundation';
import type { ReadProfileSecret } from '@weir/workflow-engine';
import type { Sealer } from '../../encryption';
import { sealContext, type ProfileRepository } from './profile';

/** Reads the present values of secrets for runs. */
export function createProfileSecretReader(
  profiles: Pick<ProfileRepository, 'findSecret'>,
  sealer: Pick<Sealer, 'open'>,
): ReadProfileSecret {
  return async (profileId, key) => {
    const found = await profiles.findSecret(profileId, key);
    if (found === undefined) return { problem: 'it was deleted' };
    if (found.isDisabled) return { problem: 'the profile is disabled' };
    try {
      return { value: await sealer.open(found.sealed, sealContext(profileId, key)) };
    } catch (error) {
      if (!isAppError(error)) throw error;
      const isUnknown = error.reason === 'encryption_key_unknown';
      return { problem: isUnknown ? 'this server does not have its key' : 'it cannot be decrypted' };
    }
  };
}
