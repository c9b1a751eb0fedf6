// `npm test [-- <project …> [Jest options …]]`: sets up what is missing and runs the specs of all projects.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runVisibly } from './command.mjs';
import { ensureAll } from './ensure.mjs';
import { runScript } from './run-script.mjs';
import { nxCommand } from './tool-commands.mjs';
import { inWorkspace } from './workspace.mjs';

function splitArguments(args) {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const end = firstOption < 0 ? args.length : firstOption;
  return { projects: args.slice(0, end), jestOptions: args.slice(end) };
}

function addUp(folder) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const file of readdirSync(folder)) {
    const counts = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
  return total;
}

// The set-up has generated and built already. A remembered result is no proof on this machine, so the cache is off.
const nxOptions = ['-t', 'test', '--skip-nx-cache', '--exclude-task-dependencies', '--output-style=static'];

await runScript(async (args) => {
  const { projects, jestOptions } = splitArguments(args);
  const runtime = await ensureAll();
  mkdirSync(inWorkspace('.nx'), { recursive: true });
  const folder = mkdtempSync(inWorkspace('.nx/test-counts-'));
  try {
    const selection = projects.length > 0 ? ['-p', projects.join(',')] : [];
    const reporters = ['--reporters=default', `--reporters=${inWorkspace('tools/setup/jest-count-reporter.cjs')}`];
    const env = { ...runtime.env, WEIR_TEST_COUNTS: folder };
    const command = nxCommand(runtime, ['run-many', ...nxOptions, ...selection, '--', ...reporters, ...jestOptions]);
    const code = await runVisibly(command, { env });
    const { passed, failed, skipped } = addUp(folder);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    return code === 0 && failed > 0 ? 1 : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
