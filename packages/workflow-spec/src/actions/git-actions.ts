import { keySpec } from '../shapes/object-kind';
import { nonEmptyText } from '../shapes/shapes';
import { report } from '../yaml/yaml-value';
import { defineUnavailable } from './define-action';
import { atMostOne } from './settings/key-choice';
import { flag, whole } from './settings/setting-shapes';

const path = keySpec('Folder of the working tree', nonEmptyText, { required: true });

export const gitActions = [
  defineUnavailable('git.checkout', {
    description: 'Clones a repository, or updates an existing clone',
    keys: {
      repository: keySpec('URL or path of the repository', nonEmptyText, { required: true }),
      path,
      ref: keySpec('Branch, tag or commit', nonEmptyText),
      depth: keySpec('Maximum number of commits to fetch; 0 fetches all', whole(0)),
      force: keySpec('Discard changes of the working tree', flag),
      token: keySpec('Access token', nonEmptyText),
      username: keySpec('User name', nonEmptyText),
      password: keySpec('Password', nonEmptyText),
      ssh_key_path: keySpec('Path of the private key file', nonEmptyText),
      ssh_passphrase: keySpec('Passphrase of the private key', nonEmptyText),
    },
    choices: [atMostOne('token', 'password', 'ssh_key_path')],
    check: ({ ssh_passphrase: passphrase, ssh_key_path: keyPath }) => {
      if (passphrase && !keyPath)
        report(passphrase.source, 'missing_key', 'ssh_key_path is required with ssh_passphrase');
    },
  }),
  defineUnavailable('git.worktree.add', {
    description: 'Adds a working tree',
    keys: {
      path,
      branch: keySpec('Branch of the working tree', nonEmptyText, { required: true }),
      create_branch: keySpec('Create the branch', flag),
      base: keySpec('Start of the new branch', nonEmptyText),
      force: keySpec('Add it even if one exists', flag),
    },
  }),
  defineUnavailable('git.worktree.remove', {
    description: 'Removes a working tree',
    keys: {
      path,
      branch: keySpec('Branch of the working tree', nonEmptyText),
      force: keySpec('Remove it even if it has changes', flag),
      delete_branch: keySpec('Also delete the branch', flag),
      force_delete_branch: keySpec('Delete the branch even if it is not merged', flag),
    },
  }),
] as const;
