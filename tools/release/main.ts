// Releases of the products; docs/reference/releases.md says how they come about.
//
//   node tools/setup/tsx.mjs tools/release/main.ts
//     version <patch|minor|major|X.Y.Z>   sets the version, closes the changelog, commits and tags
//     artefacts [--output <folder>]       builds packages, bills of materials and checksums; default dist/release
//     dry-run                             does all of it as a trial: versions, two builds, first screens on Node 22 and 24
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildAgain } from './build-again';
import { buildArtefacts } from './artefacts';
import { prepareRelease } from './prepare-release';
import { formatReadings, type Reading } from './table';
import { tryPackages } from './try-packages';

const root = path.resolve(__dirname, '../..');
const report = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { output: { type: 'string', default: path.join(root, 'dist/release') } },
  });
  const [command, specifier = ''] = positionals;
  const output = path.resolve(values.output);
  if (command === 'version') await prepareRelease({ root, specifier, isDryRun: false, report });
  else if (command === 'artefacts') report((await buildArtefacts({ root, output })).join('\n'));
  else if (command === 'dry-run') await dryRun(output);
  else throw new Error('One of: version, artefacts, dry-run.');
}

async function dryRun(output: string): Promise<void> {
  await prepareRelease({ root, specifier: 'minor', isDryRun: true, report });
  report((await buildArtefacts({ root, output })).join('\n'));
  await buildAgain(root, output);
  report('ok  a second build of the commit, in another folder, gives the same bytes');
  const byNode: Record<string, readonly Reading[]> = {};
  for (const major of [22, 24]) {
    byNode[`Node ${major}`] = await tryPackages({ root, output, node: findNode(major) });
    report(`ok  installed, and its first screens work on Node ${major}`);
  }
  const table = formatReadings(byNode);
  writeFileSync(path.join(output, 'readings.md'), table);
  report(`\n${table}`);
}

function findNode(major: number): string {
  const args = ['tools/setup/runner-node.mjs', String(major)];
  const found = JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as {
    readonly node?: string;
    readonly missing?: string;
  };
  if (found.node === undefined) throw new Error(`There is no Node ${major} here: ${found.missing}`);
  return found.node;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
