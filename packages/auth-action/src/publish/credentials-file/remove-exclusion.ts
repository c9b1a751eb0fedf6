import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { readBoundedDescriptor, smallFileBytes } from '../../runner/read-bounded-file';
import { describeError } from '../../runner/describe-error';
import type { ExcludeLine } from '../../runner/state';

/** Removes the line that main added to the exclude file. Returns a warning on failure. */
export function removeExclusion({ path: file, line }: ExcludeLine): string | undefined {
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
