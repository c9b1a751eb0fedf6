import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { actionFailed } from '../../model/steps/action-errors';
import { namingSetting } from '../../host/files/file-errors';

export interface ReadOptions {
  /** The setting that names the file, for error messages. */
  readonly setting: string;
  /** A larger file is a failure. */
  readonly maxBytes: number;
  readonly isLinkFollowed: boolean;
}

/** The content of a regular file. Rejects with an `AppError` that names the setting. */
export function readWhole(file: string, options: ReadOptions): Promise<Buffer> {
  const { setting, maxBytes, isLinkFollowed } = options;
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (isLinkFollowed ? 0 : constants.O_NOFOLLOW);
  return namingSetting(setting, async () => {
    const handle = await open(file, flags);
    try {
      if (!(await handle.stat()).isFile()) throw actionFailed(`${setting} is not a regular file.`);
      return await readBounded(handle, setting, maxBytes);
    } finally {
      await handle.close();
    }
  });
}

async function readBounded(handle: FileHandle, setting: string, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const size = Math.min(65_536, maxBytes + 1 - bytes);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size), 0, size, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    bytes += bytesRead;
    if (bytes > maxBytes) throw actionFailed(`${setting} contains more than ${maxBytes} bytes.`);
    parts.push(buffer.subarray(0, bytesRead));
  }
}
