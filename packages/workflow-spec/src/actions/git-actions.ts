import { keySpec } from '../read/object-kind';
import { filledText } from '../read/shapes';
import { report } from '../yaml/yaml-value';
import { defineAction, type ActionSpec } from './define-action';
import { atMostOne } from './key-choice';
import { flag, whole } from './setting-shapes';

const path = keySpec('Folder of the working tree', filledText, { required: true });

/** Working trees of git repositories. */
export const gitActions: readonly ActionSpec[] = [
  defineAction('git.checkout', {
    description: 'Clones a repository, or brings a clone to a state',
    keys: {
      repository: keySpec('Address or path of the repository', filledText, { required: true }),
      path,
      ref: keySpec('Branch, tag or commit', filledText),
      depth: keySpec('Most commits to fetch; 0 is all', whole(0)),
      force: keySpec('Drop changes of the working tree', flag),
      token: keySpec('Access token', filledText),
      username: keySpec('User name', filledText),
      password: keySpec('Password', filledText),
      ssh_key_path: keySpec('File of the private key', filledText),
      ssh_passphrase: keySpec('Passphrase of the private key', filledText),
    },
    choices: [atMostOne('token', 'password', 'ssh_key_path')],
    check: ({ ssh_passphrase: passphrase, ssh_key_path: keyPath }) => {
      if (passphrase && !keyPath)
        report(passphrase.source, 'missing_key', 'ssh_key_path is required with ssh_passphrase');
    },
  }),
  defineAction('git.worktree.add', {
    description: 'Adds a working tree',
    keys: {
      path,
      branch: keySpec('Branch of the working tree', filledText, { required: true }),
      create_branch: keySpec('Make the branch', flag),
      base: keySpec('Where the new branch begins', filledText),
      force: keySpec('Add it even where one is', flag),
    },
  }),
  defineAction('git.worktree.remove', {
    description: 'Removes a working tree',
    keys: {
      path,
      branch: keySpec('Branch of the working tree', filledText),
      force: keySpec('Remove it with its changes', flag),
      delete_branch: keySpec('Delete the branch too', flag),
      force_delete_branch: keySpec('Delete the branch even when it is not merged', flag),
    },
  }),
];
