import { basename, join, resolve } from 'node:path';
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
    const given = plainName('branch', settings.branch);
    const branch = given ?? (await defaultBranch(git, call, settings.path && basename(resolve(folder, settings.path))));
    const ref = await branchRef(git, 'branch', branch);
    const path = actionPath(call, settings.path ?? join(folder, '..', `${basename(folder)}-${slug(branch)}`));
    const isThere = (await git.find(['rev-parse', '--verify', '--quiet', ref])) !== undefined;
    const isNew = settings.create_branch ?? (given === undefined && !isThere);
    if (!isNew && settings.base !== undefined)
      throw actionFailed('base is the start of a new branch. Use create_branch.');
    const base = isNew ? await findCommit(git, 'base', settings.base ?? 'HEAD') : branch;
    const options = [...(settings.force === true ? ['--force'] : []), ...(isNew ? ['-b', branch] : [])];
    await git.run(['worktree', 'add', '--quiet', ...options, '--', path, base]);
    const commit = await findCommit(git, 'branch', ref);
    log.line(`added ${path} at ${commit}`);
    return publishValues({ path, branch, commit }, call.maxOutputBytes);
  });
};

export const gitWorktreeRemove: ActionExecutor<'git.worktree.remove'> = (work) => {
  const { call, settings, log } = work;
  return withGit(work, repositoryFolder(call, settings.repository), async (git) => {
    const tree = await findTree(call, git, settings);
    const force = settings.force === true ? ['--force'] : [];
    await git.run(['worktree', 'remove', ...force, '--', tree.path]);
    log.line(`removed ${tree.path}`);
    const { delete_branch: isDeleted, force_delete_branch: isForced } = settings;
    if (tree.branch !== '' && (isDeleted === true || isForced === true)) {
      await git.run(['branch', '--quiet', isForced === true ? '-D' : '-d', '--', tree.branch]);
    }
    return publishValues({ path: tree.path, branch: tree.branch }, call.maxOutputBytes);
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

async function findTree(call: ActionCall, git: GitSession, { path, branch }: Named): Promise<WorkingTree> {
  const wanted = path === undefined ? undefined : realPath(actionPath(call, path));
  const isWanted = (tree: WorkingTree): boolean =>
    (wanted === undefined || realPath(tree.path) === wanted) && (branch === undefined || tree.branch === branch);
  const [main, ...others] = await listTrees(git);
  const found = others.find(isWanted);
  if (found !== undefined) return found;
  if (main !== undefined && isWanted(main))
    throw actionFailed('This is the main working tree, which cannot be removed.');
  throw actionFailed('There is no such working tree.');
}

async function listTrees(git: GitSession): Promise<readonly WorkingTree[]> {
  const listed = await git.read(['worktree', 'list', '--porcelain']);
  return listed.split(/\n\n+/).map((entry) => {
    const fields = new Map(entry.split('\n').map((line) => [line.split(' ', 1)[0] ?? '', line.replace(/^\S+ ?/, '')]));
    const branch = (fields.get('branch') ?? '').replace(/^refs\/heads\//, '');
    return { path: fields.get('worktree') ?? '', commit: fields.get('HEAD') ?? '', branch };
  });
}
