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
  /** With the token for that address; without it, git finds the credentials of the user of the server. */
  readonly tokenFile?: string | undefined;
  readonly maxAgeMs: number;
}

export interface PackageSources extends Pick<RunPorts, 'commands' | 'hostEnv'>, PackageLimits {
  readonly home: string;
  readonly locks: FileLocks;
  readonly clock: Clock;
}

/** Packaged actions, in a folder that isolated steps can see, too. */
export function createPackages({ home, commands, hostEnv, tokenFile, ...options }: PackageSources): PackageStore {
  return createPackageCache({
    ...options,
    folder: path.join(home, 'packages'),
    git: createGitProgram({
      commands,
      hostEnv,
      token: tokenFile === undefined ? undefined : { address: options.source, file: tokenFile },
    }),
  });
}
