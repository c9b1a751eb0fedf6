import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeContents, type ContainedPackage } from './describe-contents';
import { buildSingleFile } from './single-file';

/** The products that have an npm package. The action has its own repository. */
export const products = ['workflow-api', 'rollout-proxy'] as const;
export type Product = (typeof products)[number];

export const checksumFile = 'SHA256SUMS';

export interface BuildOptions {
  /** A checkout with its dependencies installed. */
  readonly root: string;
  /** The folder is emptied first. */
  readonly output: string;
}

/**
 * Builds the products anew, and writes their packages, bills of materials, the wheel for trainers and checksums, on Linux
 * with an x64 processor the server as one file, too. Returns the names of the files.
 */
export async function buildArtefacts({ root, output }: BuildOptions): Promise<readonly string[]> {
  const run = (...args: string[]): string => {
    return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  };
  run(
    'tools/setup/nx.mjs',
    'run-many',
    '-t',
    'build',
    '--skip-nx-cache',
    '-p',
    ...products.map((app) => `@weir/${app}`),
  );
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  for (const app of products) {
    const packed = run('tools/scripts/pack-app.mjs', `apps/${app}`, output).trim();
    const file = packageFile(app, output);
    if (packed !== file) renameSync(packed, file);
    const packages = JSON.parse(run('tools/scripts/list-packages.mjs', `apps/${app}`)) as readonly ContainedPackage[];
    const product = JSON.parse(readFileSync(path.join(root, 'apps', app, 'package.json'), 'utf8')) as ContainedPackage;
    writeFileSync(path.join(output, `weir-${app}.cdx.json`), describeContents(product, packages));
  }
  buildWheel({ root, output });
  if (process.platform === 'linux' && process.arch === 'x64') await buildSingleFile({ root, output });
  return writeChecksums(output);
}

function buildWheel({ root, output }: BuildOptions): void {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const found = execFileSync(process.execPath, ['tools/setup/python-environment.mjs'], options);
  const { python, missing } = JSON.parse(found) as { readonly python?: string; readonly missing?: string };
  if (python === undefined) throw new Error(`The wheel cannot be built: ${missing}`);
  const project = path.join(root, 'python/weir-rollout');
  execFileSync(python, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', output], {
    cwd: project,
    stdio: 'pipe',
  });
}

/** Without the version, so that links to the newest release stay the same. */
export function packageFile(app: Product, folder: string): string {
  return path.join(folder, `weir-${app}.tgz`);
}

/** Writes the format that `sha256sum --check` reads. */
export function writeChecksums(folder: string): readonly string[] {
  const names = readdirSync(folder)
    .filter((name) => name !== checksumFile)
    .sort();
  const lines = names.map((name) => `${digestOf(path.join(folder, name))}  ${name}\n`);
  writeFileSync(path.join(folder, checksumFile), lines.join(''));
  return [...names, checksumFile];
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
