// Python packages for the specs that need them, in `.runtime/python` and nowhere else. Prints JSON on standard output:
// `{ python, folder }` (for PYTHONPATH), or `{ missing }` with the reason why this machine has none.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runQuietly } from './command.mjs';
import { readIfPresent } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { phase } from './progress.mjs';
import { runScript } from './run-script.mjs';
import { runtimeFolder, SetupError } from './workspace.mjs';

const installLimitMs = 90_000;

const requirements = path.join(import.meta.dirname, 'python-requirements.txt');
const folder = path.join(runtimeFolder, 'python');
// Written last, so that an interrupted installation is done again.
const stampFile = path.join(folder, '.weir-stamp');

/** The interpreter itself, not a stand-in from PATH that chooses one by the current folder. */
async function findPython() {
  const name = process.platform === 'win32' ? 'python' : 'python3';
  const script = 'import sys; print(sys.executable); print(sys.version)';
  try {
    const { stdout } = await promisify(execFile)(name, ['-c', script], { timeout: 20_000 });
    const [python, ...version] = stdout.split(/\r?\n/);
    return { python, version: version.join(' ').trim() };
  } catch (error) {
    throw new SetupError(error.code === 'ENOENT' ? `${name} is not installed` : `${name} does not run`, {
      cause: error,
    });
  }
}

async function install(python, wanted) {
  rmSync(folder, { recursive: true, force: true });
  // Built packages alone, so that nothing of a package runs before a spec wants it to.
  const pip = ['-m', 'pip', 'install', '--only-binary', ':all:', '--require-hashes', '--no-deps', '--no-input'];
  const patience = ['--retries', '1', '--timeout', '15'];
  await runQuietly(
    { file: python, args: [...pip, ...patience, '--target', folder, '--requirement', requirements] },
    { env: process.env, log: 'python', what: 'installing Python packages', limitMs: installLimitMs },
  );
  writeFileSync(stampFile, wanted);
}

async function ensurePythonPackages() {
  const { python, version } = await findPython();
  const content = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const wanted = JSON.stringify({ content, python, version });
  const isReady = () => readIfPresent(stampFile) === wanted;
  if (!isReady()) {
    await withLock(async () => {
      if (isReady()) return;
      await phase('installing Python packages', () => install(python, wanted));
    });
  }
  return { python, folder };
}

await runScript(async () => {
  const found = await ensurePythonPackages().catch((error) => {
    if (error instanceof SetupError) return { missing: error.message };
    throw error;
  });
  process.stdout.write(`${JSON.stringify(found)}\n`);
  return 0;
});
