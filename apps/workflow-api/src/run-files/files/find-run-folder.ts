import path from 'node:path';

/** The engine's `runFolderName` creates such names. */
const runFolderName = /^\d{8}T\d{9}Z_/;

/**
 * Returns the folder of the run that a log belongs to: the nearest one above it that is named after a run, else its
 * own folder.
 */
export function findRunFolder(file: string): string {
  const own = path.dirname(file);
  for (let folder = own; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (runFolderName.test(path.basename(folder))) return folder;
  }
  return own;
}
