// Python packages for the specs that need them, in `.runtime/python` and nowhere else. Prints JSON on standard output:
// `{ python, folder }` (for PYTHONPATH), or `{ missing }` with the reason why this machine has none.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { exclusively, inWorkspace } from './ensure.mjs';

const requirements = inWorkspace('tools/setup/python-requirements.txt');
const folder = inWorkspace('.runtime/python');
const stampFile = inWorkspace('.runtime/python/.weir-stamp');
const python3 = process.platform === 'win32' ? 'python' : 'python3';
const call = (program, args, timeout) => spawnSync(program, args, { encoding: 'utf8', timeout });

function ensurePackages() {
  const found = call(python3, ['-c', 'import sys; print(sys.executable); print(sys.version)'], 20_000);
  if (found.status !== 0) return { missing: `${python3} ${found.error ? 'is not installed' : 'does not run'}` };
  const [python, ...version] = found.stdout.trim().split(/\r?\n/);
  const wanted = `${version.join(' ')}\n${readFileSync(requirements, 'utf8')}`;
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return { python, folder };
  rmSync(folder, { recursive: true, force: true });
  // Built packages alone, so that nothing of a package runs before a spec wants it to.
  const pip = [
    '-m',
    'pip',
    'install',
    '--only-binary',
    ':all:',
    '--require-hashes',
    '--no-deps',
    '--no-input',
    '--no-compile',
  ];
  const limits = ['--retries', '1', '--timeout', '15', '--target', folder, '--requirement', requirements];
  const { status, stdout, stderr } = call(python, [...pip, ...limits], 90_000);
  const reason = `${stdout}${stderr}`.split('\n').find((line) => /error/i.test(line)) ?? 'pip did not end in time';
  if (status !== 0) return { missing: `installing Python packages failed: ${reason}` };
  writeFileSync(stampFile, wanted);
  return { python, folder };
}

process.stdout.write(`${JSON.stringify(await exclusively(() => ensurePackages()))}\n`);
