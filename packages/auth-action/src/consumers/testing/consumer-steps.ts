import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process, { env } from 'node:process';
import type { ProgramStep } from '@weir/actions-runner';

export interface Python {
  readonly python: string;
  /** The folder of the packages, for PYTHONPATH. */
  readonly folder: string;
}

export type PythonOrReason = (Python & { readonly missing?: never }) | { readonly missing: string };

const fixture = (name: string) => path.join(__dirname, '../__fixtures__', name);

/** Lists buckets with google-auth-library of this major version. */
export function authLibraryStep(node: string, version: 9 | 10 | 11): ProgramStep {
  return { program: node, args: [fixture('list-buckets.mjs'), String(version)] };
}

/** Lists buckets with `@google-cloud/storage`, which requires the universe as an option. */
export function storageStep(node: string, universe = ''): ProgramStep {
  return { program: node, args: [fixture('list-buckets-with-storage.mjs')], env: { UNIVERSE: universe } };
}

/** Lists buckets with Python's google-auth. */
export function pythonStep({ python, folder }: Python): ProgramStep {
  const variables = { PYTHONPATH: folder, PYTHONNOUSERSITE: '1', PYTHONDONTWRITEBYTECODE: '1' };
  return { program: python, args: [fixture('list_buckets.py')], env: variables };
}

/** A shell command with `gcloud`, which stores its state in the given folder. */
export function gcloudStep(config: string, line: string): ProgramStep {
  const quiet = {
    CLOUDSDK_CORE_DISABLE_PROMPTS: '1',
    CLOUDSDK_CORE_DISABLE_USAGE_REPORTING: '1',
    CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK: '1',
  };
  return { program: 'sh', args: ['-c', line], env: { ...quiet, CLOUDSDK_CONFIG: config } };
}

const installLimitMs = 150_000;

/** Python with google-auth in a folder of this checkout; installed on first use. */
export function findPython(): PythonOrReason {
  const script = path.resolve(__dirname, '../../../../../tools/setup/python-packages.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    timeout: installLimitMs,
  });
  if (status !== 0) return { missing: stderr.trim() || 'the installation of the Python packages timed out' };
  return JSON.parse(stdout) as PythonOrReason;
}

/** The reason why `gcloud` cannot run. */
export function missingGcloud(): string | undefined {
  const folders = (env.PATH ?? '').split(path.delimiter);
  const isThere = folders.some((folder) => existsSync(path.join(folder, 'gcloud')));
  return isThere ? undefined : 'it is not in PATH';
}
