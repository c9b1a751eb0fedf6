import { isAbsolute, join, resolve } from 'node:path';
import type { ActionCall } from './action-executor';

/** Resolves a path of the settings against the working folder of the step, and `~` against its `HOME`. */
export function actionPath({ cwd, env }: Pick<ActionCall, 'cwd' | 'env'>, path: string): string {
  const { HOME: home } = env;
  if (home !== undefined && isAbsolute(home) && /^~(?:\/|$)/.test(path)) return join(home, path.slice(1));
  return resolve(cwd, path);
}
