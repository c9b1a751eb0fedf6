import path from 'node:path';
import { findRunFolder } from './files/find-run-folder';
import type { RunFiles, StoredFile } from './files/run-files';

/**
 * Opens a log by its absolute path; the caller closes it. Returns `undefined` for an empty path, like that of a step
 * which has not started.
 */
export async function openRunFile(runFiles: Pick<RunFiles, 'view'>, file: string): Promise<StoredFile | undefined> {
  if (file === '') return undefined;
  const folder = findRunFolder(file);
  return (await runFiles.view(folder)).open(path.relative(folder, file));
}
