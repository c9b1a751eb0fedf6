import { keySpec } from '../shapes/object-kind';
import { nonEmptyText } from '../shapes/shapes';
import { report } from '../yaml/yaml-value';
import { defineUnavailable } from './define-action';
import { atMostOne } from './settings/key-choice';
import { flag, whole } from './settings/setting-shapes';

const path = keySpec('Folder of the working tree', nonEmptyText, { required: true });

export const gitActions = [
  defineUnavailable('git.checkout', {
    description: 'Clones a repository, or brings a clone to a state',
    keys: {
      repository: keySpec('Address or path of the repository', nonEmptyText, { required: true }),
      path,
      ref: keySpec('Branch, tag or commit', nonEmptyText),
      depth: keySpec('Most commits to fetch; 0 is all', whole(0)),
      force: keySpec('Drop changes of the working tree', flag),
      token: keySpec('Access token', nonEmptyText),
      username: keySpec('User name', nonEmptyText),
      password: keySpec('Password', nonEmptyText),
      ssh_key_path: keySpec('File of the private key', nonEmptyText),
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
      create_branch: keySpec('Make the branch', flag),
      base: keySpec('Where the new branch begins', nonEmptyText),
      force: keySpec('Add it even where one is', flag),
    },
  }),
  defineUnavailable('git.worktree.remove', {
    description: 'Removes a working tree',
    keys: {
      path,
      branch: keySpec('Branch of the working tree', nonEmptyText),
      force: keySpec('Remove it with its changes', flag),
      delete_branch: keySpec('Delete the branch too', flag),
      force_delete_branch: keySpec('Delete the branch even when it is not merged', flag),
    },
  }),
] as const;
