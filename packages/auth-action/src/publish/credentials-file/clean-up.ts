import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { PostLog } from '../../runner/post-log';
import { removeFile } from './remove-file';
import type { CleanUpState, ExcludeLine } from '../../runner/state';
import { readBoundedDescriptor, smallFileBytes } from '../../runner/read-bounded-file';
import { describeError } from '../../runner/describe-error';

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

/** Removes the line that main added to the exclude file. Returns a warning on failure. */
function removeExclusion({ path: file, line }: ExcludeLine): string | undefined {
  try {
    // Any step can set the state, so this check prevents that another file is rewritten.
    if (!file.endsWith(path.join(path.sep, 'info', 'exclude'))) throw new Error('not an exclude file of Git');
    removeLine(file, line);
    return undefined;
  } catch (error) {
    const reason = describeError(error);
    return reason === 'ENOENT' ? undefined : `The line ${line} was not removed from ${file} (${reason}).`;
  }
}

function removeLine(file: string, line: string): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const text = readBoundedDescriptor(descriptor, file, smallFileBytes);
    const rest = text.split('\n').filter((other) => other !== line);
    const content = Buffer.from(rest.join('\n'));
    // The new content is never longer, so truncating last means that an interruption loses no line.
    writeSync(descriptor, content, 0, content.length, 0);
    ftruncateSync(descriptor, content.length);
  } finally {
    closeSync(descriptor);
  }
}
