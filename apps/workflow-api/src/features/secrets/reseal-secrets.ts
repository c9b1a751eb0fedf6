import { isAppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import type { Sealer } from '../../encryption';
import type { SecretRepository, VersionKey } from './secret-repository';
import { sealContext, type SecretVersion } from './stored-secret';

interface Ports {
  readonly secrets: SecretRepository;
  readonly sealer: Sealer;
  readonly logger: Logger;
}

const batch = 100;

/**
 * Encrypts every value that is under an older key with the current one. If the process is killed meanwhile, each
 * value is under one of both keys, and the next start continues. Values that cannot be opened are left and reported.
 */
export async function resealSecrets({ secrets, sealer, logger }: Ports): Promise<void> {
  let resealed = 0;
  const unreadable = new Set<string>();
  let after: VersionKey | undefined;
  for (;;) {
    const versions: readonly SecretVersion[] = await secrets.listVersions(after, batch);
    // Without values, no key is needed.
    if (versions.length === 0) break;
    const current = await sealer.currentKeyId();
    for (const version of versions.filter(({ keyId }) => keyId !== current)) {
      try {
        const value = await sealer.open(version, sealContext(version));
        if (await secrets.reseal(version, await sealer.seal(value, sealContext(version)))) resealed += 1;
      } catch (error) {
        if (!isAppError(error)) throw error;
        unreadable.add(version.keyId);
      }
    }
    after = versions.at(-1);
  }
  if (resealed > 0) logger.info({ values: resealed }, 'secrets encrypted with the current key');
  if (unreadable.size > 0) logger.error({ keys: [...unreadable] }, 'secrets cannot be decrypted');
}
