import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseChecksum } from './checksum';
import type { RunPackageProgram } from './package-program';
import type { ToolDriver } from './tool-installer';

/** Every virtual environment has these commands. */
const ownCommands = /^(?:python|activate|Activate)/;

/**
 * Installs a wheel without dependencies into a virtual environment of its own, with the pip of the host, which refuses
 * another checksum.
 */
export function createPipDriver(run: RunPackageProgram): ToolDriver {
  return async ({ tool: { name, version, checksum }, folder, signal }) => {
    const { algorithm, hash } = parseChecksum(checksum);
    const lock = join(folder, 'requirements.txt');
    await writeFile(lock, `${name}==${version} --hash=${algorithm}:${hash.toString('hex')}\n`);
    const python = join(folder, 'venv', 'bin', 'python');
    await run({ program: 'python3', args: ['-m', 'venv', '--without-pip', 'venv'], folder, signal });
    const flags = ['--require-hashes', '--only-binary', ':all:', '--no-deps', '--no-cache-dir', '--no-input'];
    const args = ['-m', 'pip', '--python', python, '--disable-pip-version-check', 'install', ...flags, '-r', lock];
    await run({ program: 'python3', args, folder, signal });
    await rm(join(folder, 'install.log'));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    for (const command of await readdir(join(folder, 'venv', 'bin'))) {
      if (!ownCommands.test(command)) await symlink(join('..', 'venv', 'bin', command), join(bin, command));
    }
  };
}
