import { removeExclusion } from './remove-exclusion';
import type { PostLog } from '../../runner/post-log';
import { removeFile } from './remove-file';
import type { CleanUpState } from '../../runner/state';

/** Removes the credentials file and its line in the exclude file, and logs the result. Never throws. */
export async function cleanUp({ file, exclusion }: CleanUpState, log: PostLog): Promise<void> {
  const removal = await removeFile(file);
  if (removal.kind === 'retained') {
    // The exclude line is retained too, so that the file is not committed.
    log.warning(`The credentials file ${file.name} was not removed: ${removal.reason}.`);
    return;
  }
  const missing = 'was already removed by a later step, for example by a checkout';
  log.info(`The credentials file ${file.name} ${removal.kind === 'missing' ? missing : 'was removed'}.`);
  const warning = exclusion === undefined ? undefined : removeExclusion(exclusion);
  if (warning !== undefined) log.warning(warning);
}
