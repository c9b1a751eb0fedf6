export { formatCredentialsFile } from './format-credentials-file';
export { excludeFromGit, type Exclusion } from './exclude-from-git';
export { listIgnoreWarnings } from './ignore-warnings';
export {
  assertWorkspace,
  writeCredentialsFile,
  type CredentialsFileRequest,
  type WrittenCredentialsFile,
} from './write-credentials-file';
