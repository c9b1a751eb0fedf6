import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { isSystemError } from '@weir/foundation';
import { realPath } from '../../host/files/real-path';
import type { GitSession } from './git-session';

const policies = ['on_success', 'on_finish'] as const;

/** A working tree that a run has made, and that is removed when the run ends in the way that `policy` says. */
export interface OwnTree {
  readonly policy: (typeof policies)[number];
  /** The folder that all working trees of the repository share. */
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  /** A reference of this working tree alone, which is gone with it: another one may be made at the same place. */
  readonly mark: string;
  /** The name by which the repository knows the working tree; empty until the mark is set. */
  readonly entry: string;
}

interface NewTree {
  readonly call: ActionCall;
  readonly policy: OwnTree['policy'] | 'never';
  readonly path: string;
  readonly branch: string;
}

/** Makes the working tree. It is written down before, so that it is removed also after a crash. */
export async function addOwnTree(git: GitSession, { call, policy, path, branch }: NewTree, add: () => Promise<void>) {
  const folder = call.ownTreesFolder;
  if (folder !== undefined) await forgetTree(folder, path);
  if (policy === 'never') {
    await add();
    return;
  }
  if (folder === undefined) throw actionFailed('cleanup is not possible in a run without a folder of its own.');
  const repository = await sharedFolder(git);
  const mark = `refs/worktree/weir-${randomBytes(8).toString('hex')}`;
  const tree = { policy, repository, path, branch, mark, entry: '' };
  await writeTree(folder, tree);
  await add();
  await git.run(['-C', path, 'update-ref', mark, 'HEAD']);
  const entry = basename(await git.read(['-C', path, 'rev-parse', '--git-dir']));
  await writeTree(folder, { ...tree, entry });
}

/** The folder that all working trees of a repository share; absolute. */
export function sharedFolder(git: GitSession): Promise<string> {
  return git.read(['rev-parse', '--path-format=absolute', '--git-common-dir']);
}

/** Whether the working tree is still the one that the run has made. */
export async function isOwnTree(git: GitSession, { mark, entry }: OwnTree): Promise<boolean> {
  if (entry === '') return true;
  return (await git.find(['rev-parse', '--verify', '--quiet', `worktrees/${entry}/${mark}`])) !== undefined;
}

/** The working trees that a run still has to remove; none when there is no such folder. */
export async function listOwnTrees(folder: string): Promise<readonly OwnTree[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  });
  const texts = await Promise.all(
    names.filter((name) => !name.endsWith('.new')).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return texts.flatMap(parseTree);
}

export async function forgetTree(folder: string, path: string): Promise<void> {
  await rm(treeFile(folder, path), { force: true });
}

async function writeTree(folder: string, tree: OwnTree): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = treeFile(folder, tree.path);
  const { policy, repository, path, branch, mark, entry } = tree;
  // No path has this character, and the file is whole or the one before.
  await writeFile(`${file}.new`, [policy, repository, path, branch, mark, entry].join('\0'), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function parseTree(text: string): readonly OwnTree[] {
  const [policyText, repository, path, branch, mark, entry] = text.split('\0');
  const policy = policies.find((each) => each === policyText);
  if (policy === undefined || repository === undefined || path === undefined) return [];
  if (branch === undefined || mark === undefined || entry === undefined) return [];
  return [{ policy, repository, path, branch, mark, entry }];
}

function treeFile(folder: string, path: string): string {
  return join(folder, createHash('sha256').update(realPath(path)).digest('hex').slice(0, 32));
}
