import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Brings the project references in step, and links a new package into node_modules and the lockfile. */
export function installWorkspace(root: string, { skipInstall }: { skipInstall: boolean }): void {
  execFileSync(process.execPath, [path.join(root, 'tools/scripts/references.mjs')], { cwd: root, stdio: 'inherit' });
  if (skipInstall) return;
  execFileSync('npm', ['install', '--ignore-scripts'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
