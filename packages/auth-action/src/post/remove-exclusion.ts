import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from './remove-file';
import type { ExcludeLine } from './state';

const maxBytes = 1_048_576;

/** Takes the line that main added back out of the exclude file. Answers with a warning where that fails. */
export function removeExclusion({ path: file, line }: ExcludeLine): string | undefined {
  try {
    // No other file is ever rewritten, whoever set the state.
    if (!file.endsWith(path.join(path.sep, 'info', 'exclude'))) throw new Error('not an exclude file of git');
    withoutLine(file, line);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? undefined : `The line ${line} is still in ${file} (${code}).`;
  }
}

function withoutLine(file: string, line: string): void {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes) throw new Error('too large or not a file');
    const text = readFileSync(descriptor, 'utf8');
    const rest = text.split('\n').filter((other) => other !== line);
    const content = Buffer.from(rest.join('\n'));
    // Never longer than before, so cut only once all of it is in: a stop halfway loses no line.
    writeSync(descriptor, content, 0, content.length, 0);
    ftruncateSync(descriptor, content.length);
  } finally {
    closeSync(descriptor);
  }
}
