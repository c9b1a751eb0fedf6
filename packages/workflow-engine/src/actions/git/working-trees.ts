import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { actionFailed } from '../../model/steps/action-errors';
import { realPath } from '../../host/files/real-path';
import type { GitSession } from './git-session';

/** A working tree as git lists it; a detached one has no branch. */
interface WorkingTree {
  readonly path: string;
  readonly commit: string;
  readonly branch: string;
}

interface Named {
  /** Absolute. */
  readonly path?: string | undefined;
  readonly branch?: string | undefined;
}

/** The working tree that is meant; undefined when there is none, so that it was removed before. */
export function findTree(trees: readonly WorkingTree[], { path, branch }: Named): WorkingTree | undefined {
  const wanted = path === undefined ? undefined : realPath(path);
  const atPath = wanted === undefined ? undefined : trees.find((tree) => realPath(tree.path) === wanted);
  const ofBranch = branch === undefined ? undefined : trees.find((tree) => tree.branch === branch);
  const found = atPath ?? ofBranch;
  if (found === undefined) return undefined;
  if (path !== undefined && branch !== undefined && atPath !== ofBranch)
    throw actionFailed(`The working tree of the branch "${branch}" is not at ${path}.`);
  if (found === trees[0]) throw actionFailed('This is the main working tree, which cannot be removed.');
  return found;
}

interface Removal {
  readonly trees: readonly WorkingTree[];
  readonly tree: WorkingTree | undefined;
  readonly settings: {
    readonly branch?: string;
    readonly force?: boolean;
    readonly delete_branch?: boolean;
    readonly force_delete_branch?: boolean;
  };
}

/** Checks everything before it removes the working tree, and then its branch if that is asked for. */
export async function removeTree(git: GitSession, { trees, tree, settings }: Removal) {
  const isForced = settings.force_delete_branch === true;
  const checkedOut = tree?.branch ?? '';
  const branch = checkedOut === '' ? (settings.branch ?? '') : checkedOut;
  const isGone = tree !== undefined && !existsSync(tree.path);
  if (tree !== undefined && !isGone && settings.force !== true) await assertUnchanged(git, tree.path);
  const isDeleted =
    (settings.delete_branch === true || isForced) && branch !== '' && (await hasRef(git, `refs/heads/${branch}`));
  if (isDeleted) await assertDeletable(git, branch, { isForced, others: trees.filter((each) => each !== tree) });
  if (tree !== undefined) {
    const force = settings.force === true || isGone ? ['--force'] : [];
    await git.run(['worktree', 'remove', ...force, '--', tree.path]);
  }
  if (isDeleted) await git.run(['branch', '--quiet', '-D', '--', branch]);
  return { branch, isDeleted };
}

/** Whether the branch has its working tree there. Throws when another one, or another folder, is in the way. */
export async function findReusable(git: GitSession, path: string, branch: string): Promise<boolean> {
  const trees = await listTrees(git);
  const ofBranch = trees.find((tree) => tree.branch === branch);
  const atPath = trees.find((tree) => realPath(tree.path) === realPath(path));
  if (ofBranch !== undefined && ofBranch === trees[0])
    throw actionFailed(`The branch "${branch}" is checked out in the main working tree.`);
  if (ofBranch !== atPath) {
    throw actionFailed(
      ofBranch === undefined
        ? `${path} is the working tree of another branch.`
        : `The branch "${branch}" has its working tree at ${ofBranch.path}.`,
    );
  }
  const isThere = existsSync(path);
  if (atPath !== undefined && !isThere)
    throw actionFailed(`The folder of the working tree ${path} is gone. git.worktree.remove forgets it.`);
  if (atPath === undefined && isThere && !(await isEmptyFolder(path)))
    throw actionFailed(`${path} exists and is not an empty folder.`);
  return atPath !== undefined;
}

async function isEmptyFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory() && (await readdir(path)).length === 0;
}

async function assertUnchanged(git: GitSession, path: string): Promise<void> {
  const changes = await git.read(['-C', path, 'status', '--porcelain']);
  if (changes !== '') throw actionFailed(`${path} has changes that are not committed. Use force.`);
}

async function assertDeletable(
  git: GitSession,
  branch: string,
  { isForced, others }: { readonly isForced: boolean; readonly others: readonly WorkingTree[] },
): Promise<void> {
  const user = others.find((tree) => tree.branch === branch);
  if (user !== undefined) throw actionFailed(`The branch "${branch}" is checked out in ${user.path}.`);
  const isMerged = isForced || (await git.find(['merge-base', '--is-ancestor', `refs/heads/${branch}`, 'HEAD']));
  if (isMerged === undefined)
    throw actionFailed(`The branch "${branch}" is not merged into HEAD. Use force_delete_branch.`);
}

export async function hasRef(git: GitSession, ref: string): Promise<boolean> {
  return (await git.find(['rev-parse', '--verify', '--quiet', ref])) !== undefined;
}

export async function listTrees(git: GitSession): Promise<readonly WorkingTree[]> {
  const listed = await git.read(['worktree', 'list', '--porcelain']);
  return listed.split(/\n\n+/).map((entry) => {
    const fields = new Map(entry.split('\n').map((line) => [line.split(' ', 1)[0] ?? '', line.replace(/^\S+ ?/, '')]));
    const branch = (fields.get('branch') ?? '').replace(/^refs\/heads\//, '');
    return { path: fields.get('worktree') ?? '', commit: fields.get('HEAD') ?? '', branch };
  });
}
