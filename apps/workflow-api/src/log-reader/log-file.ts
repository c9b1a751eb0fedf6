import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isSystemError } from '@weir/errors';

// A link instead of a log is not followed, and a pipe must not block the server.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface LogFile {
  readonly handle: FileHandle;
  /** When it was opened; it may grow. */
  readonly size: number;
  /** The same for the same file, whatever its name. */
  readonly identity: string;
}

/** Nothing while nothing was written, and for what is no file. The caller closes the handle. */
export async function openLog(file: string): Promise<LogFile | undefined> {
  if (file === '') return undefined;
  const handle = await openHandle(file);
  if (handle === undefined) return undefined;
  const stat = await handle.stat();
  if (stat.isFile()) return { handle, size: stat.size, identity: `${stat.dev}.${stat.ino}.${stat.birthtimeMs}` };
  await handle.close();
  return undefined;
}

async function openHandle(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, flags);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
