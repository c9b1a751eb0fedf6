import { isAbsolute, join, resolve } from 'node:path';
import type { Enclosure } from '../../model/ports/step-isolation';

/** Where the paths of a step start, and which are open to it. */
export interface PathCall {
  /** The working folder; absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** All paths are open when missing. */
  readonly enclosure?: Enclosure | undefined;
}

/**
 * Resolves a path of the settings against the working folder of the step, and `~` against its `HOME`. Throws
 * `path_closed` for one that is closed to the step, or that holds such a one if the action takes the whole tree.
 */
export function actionPath(call: PathCall, path: string, options: { readonly isTree?: boolean } = {}): string {
  const resolved = resolvePath(call, path);
  call.enclosure?.assertOpen(resolved, options);
  return resolved;
}

function resolvePath({ cwd, env }: PathCall, path: string): string {
  const { HOME: home } = env;
  if (home !== undefined && isAbsolute(home) && /^~(?:\/|$)/.test(path)) return join(home, path.slice(1));
  return resolve(cwd, path);
}
