import { basename, dirname, extname, relative, resolve } from 'node:path';
import type { ActionCall, ActionContext, ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import { publishValues } from '../call/publish-values';
import { branchRef, findBase, findCommit, plainName } from './git-names';
import { withGit, type GitSession } from './git-session';
import { addOwnTree, isOwnTree, sharedFolder, type OwnTree } from './own-trees';
import { findReusable, findTree, hasRef, listTrees, removeTree } from './working-trees';

export const gitWorktreeAdd: ActionExecutor<'git.worktree.add'> = (work) => {
  const { call, settings, log } = work;
  return withRepository(work, async (git, { root, relativeCall }) => {
    const given = plainName('branch', settings.branch);
    const branch =
      given ?? (await defaultBranch(git, call, settings.path && basename(resolve(call.cwd, settings.path))));
    const ref = await branchRef(git, 'branch', branch);
    const path = actionPath(relativeCall, settings.path ?? `${root}.worktrees/${branch}`);
    const isThere = await hasRef(git, ref);
    const isNew = !isThere && (settings.create_branch ?? given === undefined);
    // Everything is checked before anything is made, so that a failed step leaves no branch behind.
    if (!isThere && !isNew && !(await hasRef(git, `refs/remotes/origin/${branch}`)))
      throw actionFailed(`There is no branch "${branch}". Use create_branch.`);
    const base = isNew ? await findBase(git, settings.base ?? 'HEAD') : branch;
    const isReused = settings.force !== true && (await findReusable(git, path, branch));
    if (!isReused) {
      const options = [...(settings.force === true ? ['--force'] : []), ...(isNew ? ['-b', branch] : [])];
      const add = () => git.run(['worktree', 'add', '--quiet', ...options, '--', path, base]);
      await addOwnTree(git, { call, policy: settings.cleanup ?? 'never', path, branch }, add);
    }
    const commit = await findCommit(git, 'branch', ref);
    log.line(`${isReused ? 'found' : 'added'} ${path} at ${commit}`);
    const created = { worktree_created: !isReused, branch_created: !isThere };
    return publishValues({ path, branch, commit, ...created }, call.maxOutputBytes);
  });
};

export const gitWorktreeRemove: ActionExecutor<'git.worktree.remove'> = (work) => {
  const { call, settings, log } = work;
  return withRepository(work, async (git, { relativeCall }) => {
    const trees = await listTrees(git);
    const path = settings.path === undefined ? undefined : actionPath(relativeCall, settings.path);
    const tree = findTree(trees, { path, branch: settings.branch });
    const { branch, isDeleted } = await removeTree(git, { trees, tree, settings });
    if (tree !== undefined) log.line(`removed ${tree.path}`);
    const removed = { worktree_removed: tree !== undefined, branch_deleted: isDeleted };
    return publishValues({ path: tree?.path ?? path ?? '', branch, ...removed }, call.maxOutputBytes);
  });
};

/** Removes a working tree that the run has made, unless somebody else has done so. Throws like `git.worktree.remove`. */
export function removeOwnTree(context: ActionContext, own: OwnTree) {
  return withGit({ ...context, settings: {} }, own.repository, (git) =>
    oneAtATime(context, own.repository, async () => {
      if (!(await isOwnTree(git, own))) return undefined;
      const trees = await listTrees(git);
      await removeTree(git, { trees, tree: findTree(trees, own), settings: {} });
      return undefined;
    }),
  );
}

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

interface Repository {
  /** Of the working tree that holds the folder; the folder itself when the repository is bare. */
  readonly root: string;
  /** Where relative paths start: in the working folder of a step that names a repository, else in its root. */
  readonly relativeCall: ActionCall;
}

type OnRepository = ActionContext & { readonly settings: { readonly repository?: string; timeout?: number | string } };

function withRepository(
  work: OnRepository,
  use: (git: GitSession, repository: Repository) => ReturnType<Parameters<typeof withGit>[2]>,
) {
  const { call, settings } = work;
  const folder = repositoryFolder(call, settings.repository);
  return withGit(work, folder, async (git) => {
    // Its error names a folder that is missing or no repository; the calls below would not.
    const shared = await sharedFolder(git);
    const root = (await git.find(['rev-parse', '--show-toplevel'])) ?? folder;
    const relativeCall = settings.repository === undefined ? { ...call, cwd: root } : call;
    return oneAtATime(work, shared, () => use(git, { root, relativeCall }));
  });
}

/** Two that git adds or removes at the same time see each other half made. */
async function oneAtATime<T>({ services, signal }: ActionContext, shared: string, use: () => Promise<T>): Promise<T> {
  return services.locks === undefined ? use() : services.locks.hold([`git:${shared}`], signal, use);
}

/** The last part of the path where it can name a branch, which not every folder can; else a name of the step. */
async function defaultBranch(git: GitSession, call: ActionCall, folder: string | undefined): Promise<string> {
  const isName = folder !== undefined && (await git.find(['check-ref-format', '--branch', folder])) !== undefined;
  return isName ? folder : stepBranch(call);
}

/** Of this step alone, and the same in each of its attempts: made of the place of its log in those of the run. */
function stepBranch({ env, stdoutFile }: ActionCall): string {
  const { WEIR_RUN_ID: runId = '', WEIR_RUN_LOG_FILE: runLog = '' } = env;
  if (runId === '') throw actionFailed('path or branch is missing.');
  const place = relative(dirname(runLog), stdoutFile.slice(0, -extname(stdoutFile).length));
  return `run-${runId}/${place.replace(/[^\w/-]+/g, '-')}`;
}
