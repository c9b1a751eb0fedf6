import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { ActionCall, ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { publishValues } from '../call/publish-values';
import { realPath } from '../../host/files/real-path';
import { branchRef, findCommit, plainName } from './git-names';
import { withGit, type GitSession } from './git-session';

/** A working tree as git lists it; a detached one has no branch. */
interface WorkingTree {
  readonly path: string;
  readonly commit: string;
  readonly branch: string;
}

export const gitWorktreeAdd: ActionExecutor<'git.worktree.add'> = (work) => {
  const { call, settings, log } = work;
  const folder = repositoryFolder(call, settings.repository);
  return withGit(work, folder, async (git) => {
    // Its error names a folder that is missing or no repository; the calls below would not.
    await git.read(['rev-parse', '--git-dir']);
    const root = (await git.find(['rev-parse', '--show-toplevel'])) ?? folder;
    const given = plainName('branch', settings.branch);
    const branch = given ?? (await defaultBranch(git, call, settings.path && basename(resolve(folder, settings.path))));
    const ref = await branchRef(git, 'branch', branch);
    const path = actionPath(call, settings.path ?? `${root}-${slug(branch)}`);
    const isThere = await hasRef(git, ref);
    const isNew = !isThere && (settings.create_branch ?? given === undefined);
    // Everything is checked before anything is made, so that a failed step leaves no branch behind.
    if (!isThere && !isNew && !(await hasRef(git, `refs/remotes/origin/${branch}`)))
      throw actionFailed(`There is no branch "${branch}". Use create_branch.`);
    if (!isNew && settings.base !== undefined && settings.create_branch !== true)
      throw actionFailed('base is the start of a new branch. Use create_branch.');
    const base = isNew ? await findCommit(git, 'base', settings.base ?? 'HEAD') : branch;
    const isReused = settings.force !== true && (await findReusable(git, path, branch));
    if (!isReused) {
      const options = [...(settings.force === true ? ['--force'] : []), ...(isNew ? ['-b', branch] : [])];
      await git.run(['worktree', 'add', '--quiet', ...options, '--', path, base]);
    }
    const commit = await findCommit(git, 'branch', ref);
    log.line(`${isReused ? 'found' : 'added'} ${path} at ${commit}`);
    const created = { worktree_created: !isReused, branch_created: !isThere };
    return publishValues({ path, branch, commit, ...created }, call.maxOutputBytes);
  });
};

export const gitWorktreeRemove: ActionExecutor<'git.worktree.remove'> = (work) => {
  const { call, settings, log } = work;
  return withGit(work, repositoryFolder(call, settings.repository), async (git) => {
    const isForced = settings.force_delete_branch === true;
    const trees = await listTrees(git);
    const tree = findTree(call, trees, settings);
    const checkedOut = tree?.branch ?? '';
    const branch = checkedOut === '' ? (settings.branch ?? '') : checkedOut;
    const isGone = tree !== undefined && !existsSync(tree.path);
    // Everything is checked before anything is removed.
    if (tree !== undefined && !isGone && settings.force !== true) await assertUnchanged(git, tree.path);
    const isDeleted =
      (settings.delete_branch === true || isForced) && branch !== '' && (await hasRef(git, `refs/heads/${branch}`));
    if (isDeleted) await assertDeletable(git, branch, { isForced, others: trees.filter((each) => each !== tree) });
    if (tree !== undefined) {
      const force = settings.force === true || isGone ? ['--force'] : [];
      await git.run(['worktree', 'remove', ...force, '--', tree.path]);
      log.line(`removed ${tree.path}`);
    }
    if (isDeleted) await git.run(['branch', '--quiet', '-D', '--', branch]);
    const path = tree?.path ?? (settings.path === undefined ? '' : actionPath(call, settings.path));
    const removed = { worktree_removed: tree !== undefined, branch_deleted: isDeleted };
    return publishValues({ path, branch, ...removed }, call.maxOutputBytes);
  });
};

export const gitWorktreeList: ActionExecutor<'git.worktree.list'> = (work) => {
  const { call, settings, log } = work;
  return withGit(work, repositoryFolder(call, settings.repository), async (git) => {
    const trees = await listTrees(git);
    if (settings.output_format === 'json') log.line(JSON.stringify(trees));
    else for (const { path, branch, commit } of trees) log.line(`${path} ${commit} ${branch}`.trimEnd());
    return undefined;
  });
};

export const gitWorktreePrune: ActionExecutor<'git.worktree.prune'> = (work) => {
  const { call, settings } = work;
  return withGit(work, repositoryFolder(call, settings.repository), async (git) => {
    await git.run(['worktree', 'prune', '--verbose', ...(settings.dry_run === true ? ['--dry-run'] : [])]);
    return undefined;
  });
};

function repositoryFolder(call: ActionCall, repository = '.'): string {
  return actionPath(call, repository);
}

/** The last part of the path where it can name a branch, which not every folder can; else a name of the run. */
async function defaultBranch(git: GitSession, call: ActionCall, folder: string | undefined): Promise<string> {
  const isName = folder !== undefined && (await git.find(['check-ref-format', '--branch', folder])) !== undefined;
  return isName ? folder : runBranch(call);
}

function runBranch({ env }: ActionCall): string {
  const { WEIR_RUN_ID: runId = '' } = env;
  if (runId === '') throw actionFailed('path or branch is missing.');
  return `run-${runId}`;
}

function slug(branch: string): string {
  return branch.replaceAll('/', '-');
}

interface Named {
  readonly path?: string;
  readonly branch?: string;
}

/** The working tree that a setting means; undefined when there is none, so that it was removed before. */
function findTree(call: ActionCall, trees: readonly WorkingTree[], { path, branch }: Named): WorkingTree | undefined {
  const wanted = path === undefined ? undefined : realPath(actionPath(call, path));
  const atPath = wanted === undefined ? undefined : trees.find((tree) => realPath(tree.path) === wanted);
  const ofBranch = branch === undefined ? undefined : trees.find((tree) => tree.branch === branch);
  const found = atPath ?? ofBranch;
  if (found === undefined) return undefined;
  if (path !== undefined && branch !== undefined && atPath !== ofBranch)
    throw actionFailed(`The working tree of the branch "${branch}" is not at ${path}.`);
  if (found === trees[0]) throw actionFailed('This is the main working tree, which cannot be removed.');
  return found;
}

/** Whether the branch has its working tree there. Throws when another one, or another folder, is in the way. */
async function findReusable(git: GitSession, path: string, branch: string): Promise<boolean> {
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

async function hasRef(git: GitSession, ref: string): Promise<boolean> {
  return (await git.find(['rev-parse', '--verify', '--quiet', ref])) !== undefined;
}

async function listTrees(git: GitSession): Promise<readonly WorkingTree[]> {
  const listed = await git.read(['worktree', 'list', '--porcelain']);
  return listed.split(/\n\n+/).map((entry) => {
    const fields = new Map(entry.split('\n').map((line) => [line.split(' ', 1)[0] ?? '', line.replace(/^\S+ ?/, '')]));
    const branch = (fields.get('branch') ?? '').replace(/^refs\/heads\//, '');
    return { path: fields.get('worktree') ?? '', commit: fields.get('HEAD') ?? '', branch };
  });
}
