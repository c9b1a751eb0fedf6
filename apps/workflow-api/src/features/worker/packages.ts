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
  /** A repository is at `owner/name` below this address. */
  readonly source: string;
  /** The file with the token for that address; without it, git finds the credentials of the user of the server. */
  readonly tokenFile?: string | undefined;
  readonly maxAgeMs: number;
}

export interface PackageSources extends Pick<RunPorts, 'commands' | 'hostEnv'>, PackageLimits {
  readonly home: string;
  readonly locks: FileLocks;
  readonly clock: Clock;
}

/** Stores packaged actions in a folder that isolated steps can see too. */
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
