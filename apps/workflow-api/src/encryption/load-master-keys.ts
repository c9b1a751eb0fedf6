import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { Secret } from '@weir/service-kit';
import type { RandomSource } from '../adapters/random-source';
import { loadOrCreateSecret } from '../adapters/secret-file';
import { createLocalKey, keyBytes, type MasterKey } from './master-key';

export interface MasterKeySource {
  readonly home: string;
  readonly encryption: {
    /** One key or several, with the current one first. */
    readonly keys: Secret | undefined;
    /** The absolute path of a file with the keys. Default: a file below the home folder, created when it is missing. */
    readonly keyFile: string | undefined;
  };
}

/**
 * Returns the keys of this installation: those of the configuration, or of a file that only its owner can read.
 * Rejects with `unavailable`: reason `encryption_key_invalid` or those of `loadOrCreateSecret`.
 */
export async function loadMasterKeys(
  { home, encryption: { keys, keyFile } }: MasterKeySource,
  random: RandomSource,
): Promise<readonly [MasterKey, ...MasterKey[]]> {
  const file = keyFile ?? path.join(home, 'auth', 'encryption_key');
  const text = keys ?? (await loadOrCreateSecret(file, random));
  const [first, ...rest] = parseKeys(text.reveal(), keys === undefined ? file : 'WEIR_SECRETS_KEY');
  if (first === undefined) throw keyInvalid(file);
  return [createLocalKey(first), ...rest.map(createLocalKey)];
}

function parseKeys(text: string, source: string): readonly Buffer[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const key = Buffer.from(word, 'base64');
      if (!/^[\w+/-]{43}=?$/.test(word) || key.length !== keyBytes) throw keyInvalid(source);
      return key;
    });
}

function keyInvalid(source: string): AppError {
  return new AppError('unavailable', `${source} has to hold keys of ${keyBytes} bytes in base64.`, {
    reason: 'encryption_key_invalid',
  });
}
