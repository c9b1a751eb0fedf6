import path from 'node:path';

/** As `runFolderName` of the engine makes it. */
const runFolderName = /^\d{8}T\d{9}Z_/;

/** The folder of the run that a log belongs to: the nearest one above it that is named after a run, else its own. */
export function findRunFolder(file: string): string {
  const own = path.dirname(file);
  for (let folder = own; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (runFolderName.test(path.basename(folder))) return folder;
  }
  return own;
}
