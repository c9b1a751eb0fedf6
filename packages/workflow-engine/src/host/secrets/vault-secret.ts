import { queryStore } from './query-store';
import { chooseField, fieldsOf } from './secret-fields';
import { optionNumber, optionText, type SecretReader } from './secret-source';

/** The Vault of a server. A DAG names what it reads, never where: the token must not be sent elsewhere. */
export interface VaultAccess {
  /** `https://vault.example:8200`. */
  readonly address: string;
  /** Read for every secret, because an agent may renew it. */
  readonly readToken: () => Promise<string>;
  readonly namespace?: string | undefined;
}

/** Reads from the second version of the key-value engine: `key` is MOUNT/PATH, `options` are field and version. */
export function createVaultSecretReader({ address, namespace, readToken }: VaultAccess): SecretReader {
  return async ({ key, options }) => {
    const [mount = '', ...path] = key.split('/');
    if (path.length === 0 || [mount, ...path].some((part) => ['', '.', '..'].includes(part))) {
      return { problem: 'the key has to be MOUNT/PATH' };
    }
    const version = optionNumber(options, 'version');
    const place = [mount, 'data', ...path].map(encodeURIComponent).join('/');
    const url = `${address.replace(/\/+$/, '')}/v1/${place}${version === undefined ? '' : `?version=${version}`}`;
    const send = async (signal: AbortSignal) =>
      fetch(url, {
        headers: {
          'x-vault-token': await readToken(),
          ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
        },
        redirect: 'error',
        signal,
      });
    const found = await queryStore({ store: 'Vault', send });
    if ('problem' in found) return found;
    const fields = fieldsOf(fieldsOf(fieldsOf(found.json)?.data)?.data);
    return fields === undefined
      ? { problem: 'Vault has sent something that is no secret' }
      : chooseField(fields, optionText(options, 'field'));
  };
}
