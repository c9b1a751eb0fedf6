import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/foundation';

/** The folder of a worker for the scripts of executing steps, created when it is needed. */
export interface ScriptFolder {
  /** The folder of this worker. */
  readonly path: string;
  /** Lists the ids of the other workers that have a folder here. */
  others(): Promise<readonly string[]>;
  removeAll(workerIds: readonly string[]): Promise<void>;
}

export function createScriptFolder(root: string, workerId: string): ScriptFolder {
  return {
    path: path.join(root, workerId),
    others: async () => (await namesIn(root)).filter((name) => name !== workerId),
    removeAll: async (workerIds) => {
      for (const id of workerIds) await rm(path.join(root, id), { recursive: true, force: true });
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
