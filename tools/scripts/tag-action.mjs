// Tags a release of the auth action: `v<MAJOR>.<MINOR>.<PATCH>`, which never moves, and `v<MAJOR>`, which follows the
// newest release of its line. There are no others: no `v<MAJOR>.<MINOR>`, no pre-releases. The version is that of
// packages/auth-action/package.json, the commit is HEAD of the repository in the current folder.
//
//   node tools/scripts/tag-action.mjs                    tells what it would do
//   node tools/scripts/tag-action.mjs --make             makes the tags here
//   node tools/scripts/tag-action.mjs --push <remote>    makes them and pushes them, both or none
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const versionForm = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const action = path.resolve('packages/auth-action');

class Refusal extends Error {}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Refusal(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}

function readVersion() {
  const { version } = JSON.parse(readFileSync(path.join(action, 'package.json'), 'utf8'));
  if (!versionForm.test(version)) throw new Refusal(`${version} is no MAJOR.MINOR.PATCH, so it is not released.`);
  return version;
}

/** What users get is what is committed, so nothing else may lie around, and it must be what the sources give. */
function checkTree() {
  if (git('status', '--porcelain') !== '') throw new Refusal('The work tree has changes that are not committed.');
  const bundler = path.join(import.meta.dirname, 'bundle-action.mjs');
  const { status, stderr } = spawnSync(process.execPath, [bundler, '--check'], { cwd: action, encoding: 'utf8' });
  if (status !== 0) throw new Refusal(`The committed bundle cannot be released.\n${stderr.trim()}`);
}

/** Commits by tag, for tags of this action only. */
function existingTags() {
  const lines = git('for-each-ref', '--format=%(refname:strip=2) %(objectname) %(*objectname)', 'refs/tags/v*');
  const tags = lines.split('\n').map((line) => line.split(' '));
  return new Map(tags.map(([name, own, commit]) => [name, commit || own]));
}

function compareVersions(left, right) {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number));
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The tags to make, with what is to be said of each. */
function plan(version, commit, tags) {
  const exact = `v${version}`;
  const [major] = version.split('.');
  const line = `v${major}`;
  const existing = tags.get(exact);
  if (existing !== undefined && existing !== commit) {
    throw new Refusal(`${exact} is at ${existing} already and never moves. Raise the version for ${commit}.`);
  }
  const released = [...tags.keys()].map((tag) => tag.slice(1)).filter((other) => versionForm.test(other));
  const newer = released
    .filter((other) => other.startsWith(`${major}.`) && compareVersions(other, version) > 0)
    .sort(compareVersions);
  const wanted = [];
  if (existing === undefined) wanted.push({ name: exact, moves: false });
  if (newer.length === 0 && tags.get(line) !== commit) wanted.push({ name: line, moves: tags.has(line) });
  const unmoved = newer.length > 0 ? `${line} is not moved, because there is a newer v${newer.at(-1)}.` : undefined;
  return { wanted, unmoved };
}

function createTags({ wanted }, version, commit, remote) {
  for (const { name } of wanted) git('tag', '--annotate', '--force', '--message', `Release ${version}`, name, commit);
  if (remote === undefined || wanted.length === 0) return;
  // Only the tag of the line may replace one that the remote has.
  const refs = wanted.map(({ name }) => `${name.includes('.') ? '' : '+'}refs/tags/${name}`);
  git('push', '--atomic', remote, ...refs);
}

function main() {
  const { values } = parseArgs({ options: { make: { type: 'boolean' }, push: { type: 'string' } } });
  const isReal = values.make === true || values.push !== undefined;
  const version = readVersion();
  checkTree();
  const commit = git('rev-parse', 'HEAD');
  const tags = plan(version, commit, existingTags());
  for (const { name, moves } of tags.wanted) console.log(`${moves ? 'moves' : 'creates'} ${name} at ${commit}`);
  if (tags.unmoved !== undefined) console.log(tags.unmoved);
  if (tags.wanted.length === 0) console.log('Nothing to do.');
  if (isReal) createTags(tags, version, commit, values.push);
  else console.log('A dry run: nothing was changed. --make creates the tags, --push <remote> pushes them too.');
}

try {
  main();
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}
