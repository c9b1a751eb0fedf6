import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/errors';

/** Where the scripts of steps are kept while they run, in one folder for each runner; made when it is needed. */
export interface ScriptFolder {
  /** Of this runner. */
  readonly path: string;
  /** Ids of the other runners that have a folder here. */
  others(): Promise<readonly string[]>;
  removeOf(runnerIds: readonly string[]): Promise<void>;
}

export function createScriptFolder(root: string, runnerId: string): ScriptFolder {
  return {
    path: path.join(root, runnerId),
    others: async () => (await namesIn(root)).filter((name) => name !== runnerId),
    removeOf: async (runnerIds) => {
      for (const id of runnerIds) await rm(path.join(root, id), { recursive: true, force: true });
    },
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
}
