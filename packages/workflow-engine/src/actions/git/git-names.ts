import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { actionPath } from '../../host/files/action-paths';
import type { GitSession } from './git-session';

/** A name that git cannot take for an option. */
export function plainName<Name extends string | undefined>(setting: string, name: Name): Name {
  if (name?.startsWith('-') === true) throw actionFailed(`${setting} must not begin with "-".`);
  return name;
}

/** A URL as it is, and a path from the working folder of the step. Throws for a URL with a password. */
export function repositoryUrl(call: ActionCall, repository: string): string {
  plainName('repository', repository);
  const [, user = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@]*)@/i.exec(repository) ?? [];
  // It would be shown in lists of processes, and stored in the clone.
  if (user.includes(':')) throw actionFailed('repository contains a password. Use token, or username and password.');
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(repository) || /^[^/]+:/.test(repository);
  return isUrl ? repository : actionPath(call, repository);
}

/** The id of the commit that a setting names. */
export async function findCommit(git: GitSession, setting: string, name: string): Promise<string> {
  const found = await findObject(git, name);
  if (found === undefined) throw actionFailed(`${setting} was not found in the repository.`);
  return found;
}

function findObject(git: GitSession, name: string): Promise<string | undefined> {
  return git.find(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
}

/** The start of a new branch. A branch comes before one of `origin`, and both before a tag of the same name. */
export async function findBase(git: GitSession, name: string): Promise<string> {
  const isId = /^[\da-f]{7,64}$/i.test(name);
  for (const place of [...(isId ? [''] : []), 'refs/heads/', 'refs/remotes/origin/', 'refs/tags/']) {
    const found = await findObject(git, `${place}${name}`);
    if (found !== undefined) return found;
  }
  return findCommit(git, 'base', name);
}

/** The full name of a branch. */
export async function branchRef(git: GitSession, setting: string, name: string): Promise<string> {
  const ref = `refs/heads/${name}`;
  const isValid = (await git.find(['check-ref-format', ref])) !== undefined;
  if (!isValid) throw actionFailed(`${setting} is not a valid name of a branch.`);
  return ref;
}
