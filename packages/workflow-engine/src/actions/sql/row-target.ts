import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

/** A file that receives rows, and has its name only once it is whole. */
export interface RowFile {
  readonly write: (text: string) => void;
  keep(): void;
  /** After `keep` it does nothing. */
  discard(): void;
}

export function openRowFile(path: string): RowFile {
  const part = `${path}.${randomUUID()}.part`;
  let fd: number | undefined = openSync(part, 'wx');
  const close = (): void => {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  };
  return {
    write: (text) => {
      if (fd !== undefined) writeSync(fd, text);
    },
    keep: () => {
      close();
      renameSync(part, path);
    },
    discard: () => {
      close();
      rmSync(part, { force: true });
    },
  };
}
