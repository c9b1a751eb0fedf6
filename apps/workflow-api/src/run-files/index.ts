import { localRunFiles } from './local-run-files';
import { createObjectRunFiles } from './objects/object-run-files';
import type { RunFileOptions, RunFiles } from './run-files';

export { localRunFiles } from './local-run-files';
export { openRunFile } from './open-run-file';
export { readStored } from './read-stored';
export { findRunFolder } from './find-run-folder';
export type { ClaimedFiles, RunFileOptions, RunFiles, RunFolder, StoredEntry, StoredFile } from './run-files';

/** Where the logs and artifacts of runs are, as it was set up. */
export function createRunFiles(options: RunFileOptions): RunFiles {
  return options.kind === 'files' ? localRunFiles : createObjectRunFiles(options);
}
