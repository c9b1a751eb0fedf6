import type { ProfileLayer } from '../../model/run-model/profile-layer';
import type { ProfileSecrets } from '../../values/run-values/profile-variables';
import { checked, maxSecretsBytes } from './resolve-secrets';
import type { ReadSecret } from './secret-fields';

/** Reads a secret of a profile by the id of the profile and its key. */
export type ReadProfileSecret = (profileId: string, key: string) => Promise<ReadSecret>;

/** Fetches the secrets of the profile of a run and of defaults. The problem names the secret, never its value. */
export async function resolveProfileSecrets(
  layers: readonly ProfileLayer[],
  readSecret: ReadProfileSecret | undefined,
): Promise<{ readonly secrets: ProfileSecrets } | { readonly problem: string }> {
  const found = new Map<string, Readonly<Record<string, string>>>();
  let bytes = 0;
  for (const { id, name, secrets } of layers) {
    const values: Record<string, string> = {};
    for (const key of secrets) {
      const read = checked((await readSecret?.(id, key)) ?? { problem: 'this server stores no secrets' });
      if ('problem' in read) {
        return { problem: `The secret "${key}" of the profile "${name}" cannot be used: ${read.problem}.` };
      }
      bytes += Buffer.byteLength(read.value);
      if (bytes > maxSecretsBytes) {
        return { problem: `The secrets of profiles are larger than ${maxSecretsBytes} bytes together.` };
      }
      values[key] = read.value;
    }
    found.set(id, values);
  }
  return { secrets: found };
}
