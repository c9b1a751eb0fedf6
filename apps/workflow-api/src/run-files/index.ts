import { localRunFiles } from './files/local-run-files';
import { createObjectRunFiles } from './objects/object-run-files';
import type { RunFileOptions, RunFiles } from './files/run-files';

export { localRunFiles } from './files/local-run-files';
export { openRunFile } from './open-run-file';
export { readStored } from './read-stored';
export { claimRunFiles } from './objects/claim-run-files';
export { createFolderReader } from './objects/read-folder';
export { sendRepeatedly } from './objects/send-repeatedly';
export { folderPrefix } from './objects/folder-manifest';
export { createObjectStorage, type ObjectStorage } from './objects/object-storage';
export { scanFolder } from './objects/scan-folder';
export { findRunFolder } from './files/find-run-folder';
export { isLogFile } from './files/run-files';
export type {
  ClaimedFiles,
  ObjectStoreOptions,
  RunFileClaim,
  RunFileOptions,
  RunFiles,
  RunFolder,
  StoredEntry,
  StoredFile,
} from './files/run-files';

/** Opens the configured store for the logs and artifacts of runs. */
export function createRunFiles(options: RunFileOptions): RunFiles {
  return options.kind === 'files' ? localRunFiles : createObjectRunFiles(options);
}
