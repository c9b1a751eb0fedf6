import { readFile } from 'node:fs/promises';
import { isSystemError } from './system-error';

/** The content of a file; `undefined` if there is none. Rejects with the system's error for anything else. */
export async function readIfPresent(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
