// `npm test [-- <project …> [Jest options …]]`: the specs of all projects, or of those named, in one Jest. With
// `--acceptance` first, the long proof instead. Suites that fail in a run of everything are tried once more.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { concludeRun, suitesToTryAgain } from '../jest/second-try.cjs';
import { ensureBuilt, inWorkspace, run } from './ensure.mjs';

const isAcceptance = process.argv[2] === '--acceptance';
const args = process.argv.slice(isAcceptance ? 3 : 2);
const end = [...args, '-'].findIndex((arg) => arg.startsWith('-'));
const selection = end > 0 ? ['--selectProjects', ...args.slice(0, end)] : [];
const tier = isAcceptance
  ? ['--testMatch', '**/*.acceptance.spec.ts']
  : ['--testPathIgnorePatterns', '/node_modules/', '/dist/', '/out-tsc/', '\\.acceptance\\.spec\\.ts$'];

const { node, env } = await ensureBuilt();
const jest = (...options) => run(node, [inWorkspace('node_modules/jest/bin/jest.js'), ...options], { env });
process.exitCode = args.length > 0 ? await jest(...tier, ...selection, ...args.slice(end)) : await runAll();

async function runAll() {
  const { code, results: first } = await runToResults('first-try', tier);
  if (first === undefined) return code;
  const again = suitesToTryAgain(first);
  if (again.length > 0) process.stdout.write(`\nFailed suites are run once more, one at a time: ${again.length}\n`);
  const retry = ['--runInBand', '--runTestsByPath', ...again];
  const { results: second } = again.length > 0 ? await runToResults('second-try', retry) : {};
  const { failed, unstable, passed, skipped } = concludeRun({ root: inWorkspace('.'), first, second });
  const lines = [
    ...unstable.map((line) => `unstable: ${line}`),
    ...failed.map((line) => `failed: ${line}`),
    `${unstable.length} unstable`,
    `${passed} passed, ${failed.length} failed, ${skipped} skipped`,
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  // Jest also fails for what belongs to no suite, of which a second try says nothing.
  return failed.length > 0 || first.numFailedTestSuites === 0 ? code : 0;
}

/** `results` is missing when Jest ended before it could write any. */
async function runToResults(name, options) {
  const file = inWorkspace(`.nx/test-results/${name}.json`);
  mkdirSync(inWorkspace('.nx/test-results'), { recursive: true });
  rmSync(file, { force: true });
  const code = await jest(...options, '--json', `--outputFile=${file}`);
  try {
    return { code, results: JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return { code: code || 1 };
  }
}
