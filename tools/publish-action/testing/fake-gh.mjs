// The GitHub CLI, as far as releases need it, by the rules of immutable releases: `fake-gh.mjs <state file> <arguments>`.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const [stateFile, ...args] = process.argv.slice(2);
const state = JSON.parse(readFileSync(stateFile, 'utf8'));

function fail(message) {
  console.error(message);
  process.exit(1);
}

function callApi([endpoint]) {
  if (endpoint === `repos/${state.repository}/immutable-releases`) {
    if (!state.immutable) fail('gh: Not Found (HTTP 404)');
    return { enabled: true, enforced_by_owner: false };
  }
  if (endpoint === `repos/${state.repository}/releases?per_page=100`) return [state.releases];
  return fail(`gh: Not Found (HTTP 404): ${endpoint}`);
}

function changeRelease([verb, tag, ...files], options) {
  if (options.repo !== state.repository) fail('Could not resolve to a Repository.');
  const release = state.releases.find((each) => each.tag_name === tag);
  if (verb === 'create') {
    if (release !== undefined) fail(`a release with the same tag name already exists: ${tag}`);
    const { stdout } = spawnSync('git', ['ls-remote', '--tags', state.remote, `refs/tags/${tag}`], {
      encoding: 'utf8',
    });
    if (options['verify-tag'] && stdout === '') fail(`tag ${tag} doesn't exist in the repo`);
    const notes = readFileSync(0, 'utf8');
    state.releases.push({ tag_name: tag, name: options.title, draft: options.draft === true, notes, assets: {} });
    return;
  }
  if (release === undefined) fail('release not found');
  if (verb === 'upload') {
    if (release.immutable) fail('HTTP 422: Cannot upload assets to an immutable release.');
    for (const file of files) release.assets[path.basename(file)] = readFileSync(file, 'utf8');
    return;
  }
  if (verb !== 'edit') fail(`unknown command "${verb}" for "gh release"`);
  release.draft = false;
  release.immutable = state.immutable;
  release.latest = options.latest === 'true';
}

// `--draft` has a value only in `edit`.
const given = args.filter((arg) => arg !== '--draft=false').map((arg) => arg.replace(/^--latest=/, '--latest-is='));
const { values, positionals } = parseArgs({
  args: given,
  allowPositionals: true,
  options: {
    repo: { type: 'string' },
    title: { type: 'string' },
    'notes-file': { type: 'string' },
    'latest-is': { type: 'string' },
    'verify-tag': { type: 'boolean' },
    draft: { type: 'boolean' },
    clobber: { type: 'boolean' },
    paginate: { type: 'boolean' },
    slurp: { type: 'boolean' },
  },
});
state.calls.push(
  args
    .slice(0, 3)
    .filter((arg) => !arg.startsWith('-'))
    .join(' '),
);
const [group, ...rest] = positionals;
if (group === 'api') process.stdout.write(JSON.stringify(callApi(rest)));
else if (group === 'release') changeRelease(rest, { ...values, latest: values['latest-is'] });
else fail(`unknown command "${group}"`);
writeFileSync(stateFile, JSON.stringify(state));
