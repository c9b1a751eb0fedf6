import { isAppError } from '@weir/foundation';
import type { ReadSecret, ReadStoredSecret } from '@weir/workflow-engine';
import type { Clock } from '@weir/workflow-engine/model';
import type { Sealer } from '../../encryption';
import type { SecretRepository } from './secret-repository';
import { sealContext, type StoredSecret } from './stored-secret';

interface Ports {
  readonly secrets: SecretRepository;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

const useNotedEveryMs = 60_000;

/**
 * Reads the secrets of runs: the secret of the DAG's workspace, else the one that all workspaces share. Returns the
 * newest value, or the one that REF@VERSION names.
 */
export function createStoredSecretReader({ secrets, sealer, clock }: Ports): ReadStoredSecret {
  const find = async (workspace: string | undefined, ref: string): Promise<StoredSecret | undefined> => {
    const own = workspace === undefined ? undefined : await secrets.findByRef(workspace, ref);
    return own ?? secrets.findByRef(undefined, ref);
  };
  const noteUse = async ({ id, lastResolvedAt }: StoredSecret): Promise<void> => {
    const now = clock.now();
    const isDue = lastResolvedAt === undefined || now.getTime() - lastResolvedAt.getTime() >= useNotedEveryMs;
    if (isDue) await secrets.noteUse(id, now);
  };
  return async (written, workspace) => {
    const [ref = '', wanted] = written.split('@');
    const secret = await find(workspace, ref);
    if (secret === undefined) return { problem: `there is no secret ${JSON.stringify(ref)}` };
    if (secret.isDisabled) return { problem: 'it is disabled' };
    if (secret.currentVersion === 0) return { problem: 'it has no value yet' };
    const key = { secretId: secret.id, number: wanted === undefined ? secret.currentVersion : Number(wanted) };
    const version = await secrets.findVersion(key);
    if (version === undefined) return { problem: `it has no version ${key.number}` };
    const read = await open(() => sealer.open(version, sealContext(version)));
    if ('value' in read) await noteUse(secret);
    return read;
  };
}

async function open(read: () => Promise<string>): Promise<ReadSecret> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const isUnknown = error.reason === 'encryption_key_unknown';
    return { problem: isUnknown ? 'this server does not have its key' : 'it cannot be decrypted' };
  }
}
