import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isSystemError } from '@weir/foundation';
import type { BuiltFile } from '../context/build-cache';

/**
 * The content and mode of a regular file; `undefined` when there is none at the path. A link is followed unless
 * `isLinkFollowed` is false.
 */
export async function readBuiltFile(
  path: string,
  signal: AbortSignal,
  { isLinkFollowed = true } = {},
): Promise<BuiltFile | undefined> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (isLinkFollowed ? 0 : constants.O_NOFOLLOW);
  const handle = await open(path, flags).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    const hash = createHash('sha256');
    await pipeline(handle.createReadStream({ autoClose: false }), hash, { signal });
    return { sha256: hash.digest('hex'), mode: stats.mode & 0o777 };
  } finally {
    await handle.close();
  }
}
