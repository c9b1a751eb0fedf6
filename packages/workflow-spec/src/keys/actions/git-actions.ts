import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { report } from '../../source/yaml/yaml-value';
import { defineAction } from './define-action';
import { atMostOne } from '../../shapes/settings/key-choice';
import { cloneKeys, pushKeys, remoteRules, timeout } from './settings/git-settings';
import { flag, oneOrTexts, word } from '../../shapes/settings/setting-shapes';

// Git is started like any command, so that it is isolated and ended like one.
const byProcess = { execution: 'process' } as const;

const repository = keySpec('Folder of the repository; the working folder by default', nonEmptyText);
const path = keySpec('Folder of the working tree; the working folder by default', nonEmptyText);
const worktree = keySpec('Folder of the working tree', nonEmptyText);

export const gitActions = [
  defineAction('git.clone', {
    description: 'Clones a repository into a new folder',
    ...byProcess,
    restart: false,
    ...remoteRules,
    keys: cloneKeys,
  }),
  defineAction('git.checkout', {
    description: 'Clones a repository, or updates an existing clone',
    ...byProcess,
    restart: true,
    ...remoteRules,
    keys: { ...cloneKeys, force: keySpec('Discard changes and commits of the working tree', flag) },
  }),
  defineAction('git.worktree.add', {
    description: 'Adds a working tree',
    ...byProcess,
    restart: false,
    keys: {
      repository,
      path: worktree,
      branch: keySpec('Branch of the working tree', nonEmptyText),
      create_branch: keySpec('Create the branch', flag),
      base: keySpec('Start of the new branch', nonEmptyText),
      force: keySpec('Add it even if one exists', flag),
      cleanup: keySpec(
        'When the run removes the working tree that it made: never (default), on_success or on_finish',
        word('never', 'on_success', 'on_finish'),
      ),
      timeout,
    },
    check: ({ branch, base, create_branch: isCreated }, value) => {
      if (branch && base && (isCreated === undefined || isCreated.value === false))
        report(value, 'missing_key', 'create_branch is required with branch and base');
    },
  }),
  defineAction('git.worktree.remove', {
    description: 'Removes a working tree',
    ...byProcess,
    restart: false,
    keys: {
      repository,
      path: worktree,
      branch: keySpec('Branch of the working tree', nonEmptyText),
      force: keySpec('Remove it even if it has changes', flag),
      delete_branch: keySpec('Also delete the branch', flag),
      force_delete_branch: keySpec('Delete the branch even if it is not merged', flag),
      timeout,
    },
    check: ({ path: folder, branch }, value) => {
      if (!folder && !branch) report(value, 'missing_key', 'path or branch is required');
    },
  }),
  defineAction('git.worktree.list', {
    description: 'Lists the working trees',
    ...byProcess,
    restart: true,
    keys: { repository, output_format: keySpec('raw (default) or json', word('raw', 'json')), timeout },
  }),
  defineAction('git.worktree.prune', {
    description: 'Forgets working trees whose folders are gone',
    ...byProcess,
    restart: true,
    keys: { repository, dry_run: keySpec('Only report what would be done', flag), timeout },
  }),
  defineAction('git.commit', {
    description: 'Commits changes of a working tree',
    ...byProcess,
    restart: false,
    keys: {
      path,
      message: keySpec('Message of the commit', nonEmptyText, { required: true }),
      files: keySpec('Files and folders to commit; all changes by default', oneOrTexts('files')),
      author_name: keySpec('Name of the author', nonEmptyText),
      author_email: keySpec('Address of the author', nonEmptyText),
      allow_empty: keySpec('Commit even if nothing has changed', flag),
      timeout,
    },
  }),
  defineAction('git.push', {
    description: 'Pushes a branch to a remote',
    ...byProcess,
    restart: true,
    ...remoteRules,
    keys: pushKeys,
  }),
  defineAction('git.diff', {
    description: 'Prints the changes of a working tree, or between commits',
    ...byProcess,
    restart: true,
    keys: {
      path,
      base: keySpec('Commit, branch or tag to compare with; HEAD by default', nonEmptyText),
      ref: keySpec('Commit, branch or tag that is compared; the working tree by default', nonEmptyText),
      staged: keySpec('Compare what is staged', flag),
      files: keySpec('Only these files and folders', oneOrTexts('files')),
      output_format: keySpec('patch (default), names, stat or json', word('patch', 'names', 'stat', 'json')),
      timeout,
    },
    choices: [atMostOne('ref', 'staged')],
  }),
] as const;
