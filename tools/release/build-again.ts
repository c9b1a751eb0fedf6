import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { checksumFile } from './artefacts';

/**
 * Clones the commit into another folder, installs and builds there, and compares the checksums. Throws with the files that
 * differ.
 */
export async function buildAgain(root: string, output: string): Promise<void> {
  const elsewhere = temporaryFolder('weir-second-build-');
  const clone = elsewhere.file('clone');
  const second = elsewhere.file('release');
  const run = (cwd: string, command: string, ...args: string[]): void => {
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  try {
    run(root, 'git', 'clone', '--quiet', root, clone);
    run(clone, 'npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
    const program = path.join(clone, 'tools/release/main.ts');
    run(clone, process.execPath, 'tools/setup/tsx.mjs', program, 'artefacts', '--output', second);
    const [first, other] = [output, second].map(readChecksums);
    const differing = Object.keys({ ...first, ...other }).filter((name) => first?.[name] !== other?.[name]);
    if (differing.length > 0) throw new Error(`Two builds of one commit differ: ${differing.join(', ')}`);
  } finally {
    await elsewhere.remove();
  }
}

function readChecksums(folder: string): Readonly<Record<string, string>> {
  const lines = readFileSync(path.join(folder, checksumFile), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split('  ', 2).reverse() as [string, string]));
}
