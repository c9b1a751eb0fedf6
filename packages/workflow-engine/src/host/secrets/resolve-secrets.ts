import { minSecretLength } from '../../values/masking/secret-forms';
import type { Dag, Secret } from '@weir/workflow-spec';
import type { ReadSecret } from './secret-fields';
import { readEnvSecret, readFileSecret, type SecretReader, type SecretSources } from './secret-source';

/** Values by the names of their variables, in the order of the file; a sentence when one cannot be had. */
export type ResolvedSecrets = { readonly values: ReadonlyMap<string, string> } | { readonly problem: string };

const readers: ReadonlyMap<string, SecretReader> = new Map([
  ['env', readEnvSecret],
  ['file', readFileSecret],
]);

/** Limits all values of a run together. */
export const maxSecretsBytes = 1_048_576;

/**
 * Fetches the secrets of a DAG. They stay in memory only, and are fetched whenever the run starts or resumes. The
 * problem names the secret, never its value.
 */
export async function resolveSecrets(
  dag: Pick<Dag, 'secrets' | 'workspace'>,
  sources: SecretSources,
): Promise<ResolvedSecrets> {
  const values = new Map<string, string>();
  let bytes = 0;
  for (const secret of dag.secrets ?? []) {
    const read = checked(await readSecret(secret, dag.workspace, sources));
    if ('problem' in read) return { problem: `The secret "${secret.name}" cannot be used: ${read.problem}.` };
    bytes += Buffer.byteLength(read.value);
    if (bytes > maxSecretsBytes) return { problem: `The secrets are larger than ${maxSecretsBytes} bytes together.` };
    values.set(secret.name, read.value);
  }
  return { values };
}

async function readSecret(secret: Secret, workspace: string | undefined, sources: SecretSources): Promise<ReadSecret> {
  if (secret.kind === 'ref') {
    return sources.readStored?.(secret.ref, workspace) ?? { problem: 'this server stores no secrets' };
  }
  const { provider } = secret;
  const read = readers.get(provider) ?? sources.providers?.get(provider);
  return read === undefined
    ? { problem: `this server has no settings for the provider ${provider}` }
    : read(secret, sources);
}

/** Values that cannot be hidden are refused; an empty value needs no hiding. */
export function checked(read: ReadSecret): ReadSecret {
  if ('problem' in read || read.value === '') return read;
  if (read.value.includes('\0')) return { problem: 'it contains a NUL character' };
  const isShort = Buffer.byteLength(read.value.trim()) < minSecretLength;
  return isShort ? { problem: `it is shorter than ${minSecretLength} characters and could not be hidden` } : read;
}
