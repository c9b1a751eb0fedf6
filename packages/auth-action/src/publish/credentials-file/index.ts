export { formatCredentialsFile } from './format-credentials-file';
export { excludeFromGit, type Exclusion } from './exclude-from-git';
export { sweepStaleFiles } from './sweep-stale-files';
export { listIgnoreWarnings } from './ignore-warnings';
export {
  assertFolder,
  findCredentialsFolder,
  writeCredentialsFile,
  type CredentialsFileRequest,
  type WrittenCredentialsFile,
} from './write-credentials-file';
