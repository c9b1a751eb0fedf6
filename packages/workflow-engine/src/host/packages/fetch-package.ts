import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError } from '@weir/foundation';
import type { RunGit } from './git-program';
import { packageBounds } from './hash-package';
import { packageFailed } from './package-errors';

export interface Fetch {
  readonly url: string;
  readonly commit: string;
  /** An empty folder for the repository. */
  readonly repository: string;
  /** Created, with the files of the commit, read-only. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** The full id of the commit that a tag, a branch or a commit is now. Rejects with `package_unavailable`. */
export async function findCommit(
  git: RunGit,
  {
    url,
    version,
    folder,
    signal,
  }: Pick<Fetch, 'url' | 'signal'> & { readonly version: string; readonly folder: string },
): Promise<string> {
  if (isCommit(version)) return version;
  const names = [`refs/tags/${version}^{}`, `refs/tags/${version}`, `refs/heads/${version}`];
  const listed = await git({ args: ['ls-remote', '--', url, ...names], folder, isRemote: true, signal });
  const found = new Map(listed.split('\n').map((line) => line.split('\t').toReversed() as [string, string]));
  const commit = names.map((name) => found.get(name)).find((each) => each !== undefined);
  if (commit === undefined || !isCommit(commit)) throw packageFailed('its repository has no such version.');
  return commit;
}

/** Checks a commit out. Links and submodules are refused, and no filter or hook is executed. */
export async function fetchPackage(git: RunGit, fetch: Fetch): Promise<void> {
  const { commit, repository, folder, signal } = fetch;
  const run = (args: readonly string[]) => git({ args, folder: repository, isRemote: false, signal });
  await run(['init', '--quiet', '--bare', ...(commit.length === 64 ? ['--object-format=sha256'] : []), '.']);
  await fetchCommit(git, fetch);
  checkEntries(await run(['ls-tree', '-r', '-l', '-z', '--full-tree', commit]));
  await mkdir(folder, { recursive: true });
  await run([`--work-tree=${folder}`, 'checkout', '--quiet', '--force', commit, '--', '.']);
  await makeReadOnly(folder);
}

/** Hosts that do not give single commits give their branches and tags. */
async function fetchCommit(git: RunGit, { url, commit, repository, signal }: Fetch): Promise<void> {
  const run = (args: readonly string[]) => git({ args, folder: repository, isRemote: true, signal });
  const options = ['fetch', '--quiet', '--no-recurse-submodules'];
  try {
    await run([...options, '--depth=1', '--no-tags', '--', url, commit]);
  } catch (error) {
    if (!isAppError(error)) throw error;
    await run([...options, '--tags', '--', url, '+refs/heads/*:refs/remotes/origin/*']);
    await run(['cat-file', '-e', `${commit}^{commit}`]).catch((missing: unknown) => {
      signal.throwIfAborted();
      throw packageFailed('its repository does not have the commit that is locked.', missing);
    });
  }
}

function checkEntries(listed: string): void {
  const entries = listed.split('\0').filter((line) => line !== '');
  if (entries.length > packageBounds.files) throw packageFailed('it has too many files.');
  let bytes = 0;
  for (const entry of entries) {
    const [mode, , , size] = entry.slice(0, entry.indexOf('\t')).split(/ +/);
    if (mode === '120000') throw packageFailed('it holds a link.');
    if (mode === '160000') throw packageFailed('it holds a submodule.');
    bytes += Number(size);
  }
  if (bytes > packageBounds.bytes) throw packageFailed('it is too large.');
}

/** Also the modes do not depend on the host. */
async function makeReadOnly(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadOnly(path);
    else await chmod(path, (await isExecutable(path)) ? 0o555 : 0o444);
  }
  await chmod(folder, 0o555);
}

async function isExecutable(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o100) !== 0;
}

function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
