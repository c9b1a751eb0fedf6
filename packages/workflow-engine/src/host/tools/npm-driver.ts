import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameHash, parseChecksum } from './checksum';
import type { RunPackageProgram } from './package-program';
import { toolFailed } from './tool-errors';
import type { ToolDriver } from './tool-installer';

/**
 * Installs a package with npm, whose scripts are not executed. The checksum is that of the package; its dependencies are
 * what npm finds for it.
 */
export function createNpmDriver(run: RunPackageProgram): ToolDriver {
  return async ({ tool: { name, version, checksum }, folder, signal }) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
    const cache = join(folder, '.cache');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--cache', cache];
    await run({ program: 'npm', args: ['install', ...flags], folder, signal });
    const integrity = readIntegrity(await readFile(join(folder, 'package-lock.json'), 'utf8'), name);
    const wanted = parseChecksum(checksum);
    const found = integrity.find((each) => each.startsWith(`${wanted.algorithm}-`));
    if (found === undefined) throw toolFailed(`its registry names no ${wanted.algorithm} of it.`);
    if (!isSameHash(wanted, parseChecksum(found).hash)) throw toolFailed('its checksum is another one.');
    await rm(cache, { recursive: true, force: true });
    await rm(join(folder, 'install.log'));
    await symlink(join('node_modules', '.bin'), join(folder, 'bin'));
  };
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly integrity?: string }>>;
}

function readIntegrity(text: string, name: string): readonly string[] {
  // Written by npm a moment ago.
  const { packages } = JSON.parse(text) as Lock;
  return packages?.[`node_modules/${name}`]?.integrity?.split(' ') ?? [];
}
