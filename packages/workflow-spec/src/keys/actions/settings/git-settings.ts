import { keySpec } from '../../../shapes/object-kind';
import { nonEmptyText, text } from '../../../shapes/shapes';
import { atMostOne } from '../../../shapes/settings/key-choice';
import { duration } from '../../../shapes/settings/duration-setting';
import { flag, whole } from '../../../shapes/settings/setting-shapes';
import { report } from '../../../source/yaml/yaml-value';
import type { Fields } from '../../../shapes/read-object';

export const timeout = keySpec('Timeout of the whole action; one hour by default', duration);

/** Keys for the address of a server, and for its credentials. */
const remoteKeys = {
  token: keySpec('Access token', nonEmptyText),
  username: keySpec('User name', nonEmptyText),
  password: keySpec('Password', text),
  ssh_key_path: keySpec('Path of the private key file', nonEmptyText),
  ssh_passphrase: keySpec('Passphrase of the private key', nonEmptyText),
  strict_host_key: keySpec('Refuse unknown SSH hosts; true by default', flag),
  known_host_file: keySpec('Path of the known hosts file', nonEmptyText),
  timeout,
} as const;

/** The rules of {@link remoteKeys}. */
export const remoteRules = {
  choices: [atMostOne('token', 'password', 'ssh_key_path')],
  check: ({ ssh_passphrase: passphrase, ssh_key_path: keyPath }: Fields<typeof remoteKeys>) => {
    if (passphrase && !keyPath)
      report(passphrase.source, 'missing_key', 'ssh_key_path is required with ssh_passphrase');
  },
} as const;

/** Keys of a clone, with the credentials of its server. */
export const cloneKeys = {
  repository: keySpec('URL or path of the repository', nonEmptyText, { required: true }),
  path: keySpec('Folder of the working tree', nonEmptyText, { required: true }),
  ref: keySpec('Branch, tag or commit', nonEmptyText),
  depth: keySpec('Maximum number of commits to fetch; 0 fetches all', whole(0)),
  ...remoteKeys,
} as const;

export const pushKeys = {
  path: keySpec('Folder of the working tree; the working folder by default', nonEmptyText),
  remote: keySpec('Name of the remote; origin by default', nonEmptyText),
  branch: keySpec('The branch; the current one by default', nonEmptyText),
  destination: keySpec('Name of the branch in the remote; the same by default', nonEmptyText),
  tags: keySpec('Also push all tags', flag),
  set_upstream: keySpec('Let the branch follow the one of the remote', flag),
  force: keySpec('Replace commits of the remote that were fetched before', flag),
  ...remoteKeys,
} as const;
