import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A Node.js binary of this major version in PATH, or undefined. Runners have several, one for each `runs.using`. */
export function findNode(major: number): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return [process.execPath, ...folders.map((folder) => path.join(folder, 'node'))].find((program) => {
    if (!existsSync(program)) return false;
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000 });
    return stdout.startsWith(`v${major}.`);
  });
}
