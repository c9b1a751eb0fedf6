// The installer of Python packages, in a separate environment in `.runtime`: it needs a third of the time of pip.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { inWorkspace } from './ensure.mjs';
import { uvSettings } from './uv-settings.mjs';

const version = '0.13.9';
const folder = inWorkspace(`.runtime/uv-${version}`);
const windows = process.platform === 'win32';
const python = `${folder}/${windows ? 'Scripts/python.exe' : 'bin/python'}`;
const uv = `${folder}/${windows ? 'Scripts/uv.exe' : 'bin/uv'}`;
const call = (program, args, options) => spawnSync(program, args, { encoding: 'utf8', ...options });

/**
 * Creates a virtual environment. Each of `installs` is what follows `uv pip install`. Returns the reason why it could
 * not, or undefined.
 */
export function createEnvironment(python3, environment, installs) {
  const reason = existsSync(uv) ? undefined : installUv(python3);
  if (reason !== undefined) return reason;
  const env = {
    ...uvSettings(call(python, ['-m', 'pip', 'config', 'list'], { timeout: 20_000 }).stdout),
    UV_CACHE_DIR: inWorkspace('.runtime/uv-cache'),
    UV_PYTHON_DOWNLOADS: 'never',
    ...process.env,
  };
  const made = [
    // The environment is seeded: specs of the package install its wheel with its pip.
    ['venv', '--quiet', '--seed', '--python', python3, environment],
    ...installs.map((packages) => ['pip', 'install', '--quiet', '--python', environment, ...packages]),
  ].map((args) => call(uv, args, { env, timeout: 900_000 }));
  return failureOf(made);
}

function installUv(python3) {
  rmSync(folder, { recursive: true, force: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--no-input', '--only-binary', ':all:'];
  const installed = [
    call(python3, ['-m', 'venv', folder], { timeout: 60_000 }),
    call(python, [...pip, '--retries', '1', '--timeout', '15', `uv==${version}`], { timeout: 300_000 }),
  ];
  return failureOf(installed);
}

function failureOf(results) {
  const failed = results.find(({ status }) => status !== 0);
  if (failed === undefined) return undefined;
  const lines = `${failed.stdout}${failed.stderr}`.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|×/i.test(line)) ?? lines.find(Boolean) ?? 'it did not end in time';
}
