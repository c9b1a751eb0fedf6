// `npm run check`: format, types, lint and the specs of what this working copy changes against `main`. It ends at the
// first that fails. Specs are those of the projects with changes; of an end-to-end project, only the changed suites
// run.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureBuilt, ensureTools, inWorkspace, run } from './ensure.mjs';

const { node, env } = await ensureTools();
const git = (...args) => spawnSync('git', args, { cwd: inWorkspace('.'), encoding: 'utf8' }).stdout.split('\n');
const [base] = git('merge-base', 'HEAD', 'main');
if (!base) {
  console.error('weir: there is no branch main to compare with');
  process.exit(1);
}
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter(
  (file) => file !== '' && existsSync(inWorkspace(file)),
);
const matching = (pattern) => changed.filter((file) => pattern.test(file));

if (changed.length === 0) {
  console.log('Nothing differs from main.');
} else {
  await step('format', ['node_modules/prettier/bin/prettier.cjs', '--check', '--ignore-unknown', ...changed]);
  // Everything is checked, because a change often breaks code elsewhere.
  await step('types and lint', ['node_modules/nx/dist/bin/nx.js', 'run-many', '-t', 'typecheck', 'lint']);
  await checkSpecs();
}

async function checkSpecs() {
  const projects = new Set(matching(/^(?:apps|packages)\/|^tools\//).map(projectOf));
  const whole = [...projects].filter((project) => !project.endsWith('-e2e'));
  const suites = matching(/-e2e\/.*spec\.ts$/);
  if (suites.length > 0) await ensureBuilt();
  const jest = ['node_modules/jest/bin/jest.js', '--passWithNoTests'];
  const quick = ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '/out-tsc/', '\\.acceptance\\.spec\\.ts$'];
  if (whole.length > 0) await step('specs', [...jest, ...quick, '--selectProjects', ...whole]);
  if (suites.length > 0) await step('end-to-end specs', [...jest, '--runTestsByPath', ...suites]);
}

function projectOf(file) {
  const [first, second] = file.split('/');
  return first === 'tools' ? first : second;
}

async function step(name, command) {
  console.log(`\n== ${name}`);
  const code = await run(node, command, { env });
  if (code !== 0) process.exit(code);
}
