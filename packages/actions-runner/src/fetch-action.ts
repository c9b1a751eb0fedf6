import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';

export interface ActionSource {
  /** URL or path of the Git repository that `uses` names. */
  readonly url: string;
  /** A tag or branch. */
  readonly ref: string;
  /** A new folder for the files. */
  readonly folder: string;
}

/**
 * Fetches an action like the runner: the files at a reference of its repository, without history and without installing
 * anything. Throws if the reference does not exist.
 */
export function fetchAction({ url, ref, folder }: ActionSource): void {
  const args = ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--depth', '1', '--branch', ref, url, folder];
  execFileSync('git', args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 });
  rmSync(path.join(folder, '.git'), { recursive: true });
}
