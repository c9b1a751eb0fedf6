export { credentialsFileOf } from './credentials-file-of';
export { excludeFromGit, type Exclusion } from './exclude-from-git';
export { ignoreWarnings } from './ignore-warnings';
export {
  assertWorkspace,
  writeCredentialsFile,
  type CredentialsFileRequest,
  type WrittenCredentialsFile,
} from './write-credentials-file';
