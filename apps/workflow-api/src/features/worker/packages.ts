import path from 'node:path';
import {
  createGitProgram,
  createPackageCache,
  type Clock,
  type FileLocks,
  type PackageStore,
  type RunPorts,
} from '@weir/workflow-engine';

export interface PackageLimits {
  /** Below it, `owner/name` is a repository. */
  readonly source: string;
  readonly maxAgeMs: number;
}

export interface PackageSources extends Pick<RunPorts, 'commands' | 'hostEnv'>, PackageLimits {
  readonly home: string;
  readonly locks: FileLocks;
  readonly clock: Clock;
}

/** Packaged actions, in a folder that isolated steps can see, too. */
export function createPackages({ home, commands, hostEnv, ...options }: PackageSources): PackageStore {
  return createPackageCache({
    ...options,
    folder: path.join(home, 'packages'),
    git: createGitProgram(commands, hostEnv),
  });
}
