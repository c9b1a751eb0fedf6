// A virtual environment with `python/weir-rollout` from this checkout and `requirements-<name>.txt`, in `.runtime`. The
// name is `test`, or the first argument; with `--if-installed` nothing is installed. What `requirements-<name>-alone.txt`
// names, where there is one, is installed without its dependencies: its sources are read, and would take gigabytes to
// run. Prints JSON on standard output: `{ python }`, or `{ missing }` with the reason why this machine has none.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exclusively, inWorkspace } from './ensure.mjs';
import { createEnvironment } from './uv.mjs';

const project = inWorkspace('python/weir-rollout');
const [name = 'test', ...flags] = process.argv.slice(2);
const requirements = path.join(project, `requirements-${name}.txt`);
const alone = path.join(project, `requirements-${name}-alone.txt`);
const isAloneThere = existsSync(alone);
const folder = inWorkspace(name === 'test' ? '.runtime/python-environment' : `.runtime/python-${name}`);
const stampFile = path.join(folder, '.weir-stamp');
const python3 = process.platform === 'win32' ? 'python' : 'python3';
const call = (program, args, timeout) => spawnSync(program, args, { encoding: 'utf8', timeout });
const check = 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10); print(sys.executable, sys.version)';

function ensureEnvironment() {
  const found = call(python3, ['-c', check], 20_000);
  if (found.status !== 0) return { missing: `${python3} of at least 3.10 with venv is not installed` };
  const files = [path.join(project, 'pyproject.toml'), requirements, ...(isAloneThere ? [alone] : [])];
  const sources = files.map((file) => readFileSync(file, 'utf8'));
  const wanted = [found.stdout, ...sources].join('\n');
  const python = path.join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return { python };
  if (flags.includes('--if-installed')) {
    return { missing: `node tools/setup/python-environment.mjs ${name} was not run` };
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  const packages = ['--requirement', requirements, '--editable', project];
  const reason = createEnvironment(python3, folder, [
    packages,
    ...(isAloneThere ? [['--no-deps', '--requirement', alone]] : []),
  ]);
  if (reason !== undefined) return { missing: `installing Python packages failed: ${reason}` };
  writeFileSync(stampFile, wanted);
  return { python };
}

process.stdout.write(`${JSON.stringify(await exclusively(() => ensureEnvironment()))}\n`);
