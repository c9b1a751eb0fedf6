import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Refusal, type Git } from './git';

const bundler = path.resolve(__dirname, '../scripts/bundle-action.mjs');

/** Users run the committed files, so the work tree must be clean, and the bundle must be built from the sources. */
export function checkSourceTree(git: Git, folder: string): void {
  if (git.text(['status', '--porcelain']) !== '')
    throw new Refusal('The work tree has changes that are not committed.');
  const action = path.join(folder, 'packages/auth-action');
  const { status, stderr } = spawnSync(process.execPath, [bundler, '--check'], { cwd: action, encoding: 'utf8' });
  if (status !== 0) throw new Refusal(`The committed bundle cannot be released.\n${stderr.trim()}`);
}

/** The tag of a release in this repository. It has a prefix, because other products have versions of their own. */
export function sourceTag(version: string): string {
  return `auth-action-v${version}`;
}

/** Creates the tag at the commit, unless it is there. Throws a `Refusal` if it is at another commit. */
export function createSourceTag(git: Git, version: string, commit: string): void {
  const found = findSourceTag(git, version);
  if (found === undefined) git.text(['update-ref', `refs/tags/${sourceTag(version)}`, commit, '']);
  else if (found !== commit) throw new Refusal(`${sourceTag(version)} is already at ${found} and never moves.`);
}

/** Only a tagged commit is published, so that its sources can be found by the version. */
export function requireSourceTag(git: Git, version: string, commit: string): void {
  const name = sourceTag(version);
  const found = findSourceTag(git, version);
  if (found === commit) return;
  const state = found === undefined ? 'does not exist' : `is at ${found}`;
  throw new Refusal(
    `The tag ${name} ${state}, but the commit to publish is ${commit}. Use --tag, or raise the version.`,
  );
}

function findSourceTag(git: Git, version: string): string | undefined {
  const name = `refs/tags/${sourceTag(version)}`;
  const found = git.text(['for-each-ref', '--format=%(objectname) %(*objectname)', name]);
  // The second id is the commit of an annotated tag.
  return found === '' ? undefined : found.split(' ').at(-1);
}
