import path from 'node:path';
import { findRunFolder } from './files/find-run-folder';
import type { RunFiles, StoredFile } from './files/run-files';

/** A log by its absolute path; nothing for an empty one, as that of a step which has not started. The caller closes it. */
export async function openRunFile(runFiles: Pick<RunFiles, 'view'>, file: string): Promise<StoredFile | undefined> {
  if (file === '') return undefined;
  const folder = findRunFolder(file);
  return (await runFiles.view(folder)).open(path.relative(folder, file));
}
