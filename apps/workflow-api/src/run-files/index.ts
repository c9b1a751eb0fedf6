import { localRunFiles } from './files/local-run-files';
import { createObjectRunFiles } from './objects/object-run-files';
import type { RunFileOptions, RunFiles } from './files/run-files';

export { localRunFiles } from './files/local-run-files';
export { openRunFile } from './open-run-file';
export { readStored } from './read-stored';
export { findRunFolder } from './files/find-run-folder';
export type { ClaimedFiles, RunFileOptions, RunFiles, RunFolder, StoredEntry, StoredFile } from './files/run-files';

/** Opens the configured store for the logs and artifacts of runs. */
export function createRunFiles(options: RunFileOptions): RunFiles {
  return options.kind === 'files' ? localRunFiles : createObjectRunFiles(options);
}
