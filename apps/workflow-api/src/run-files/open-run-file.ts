import path from 'node:path';
import { runFolderOf } from './run-folder-of';
import type { RunFiles, StoredFile } from './run-files';

/** A log by its absolute path; nothing for an empty one, as that of a step which has not started. The caller closes it. */
export async function openRunFile(runFiles: Pick<RunFiles, 'view'>, file: string): Promise<StoredFile | undefined> {
  if (file === '') return undefined;
  const folder = runFolderOf(file);
  return (await runFiles.view(folder)).open(path.relative(folder, file));
}
