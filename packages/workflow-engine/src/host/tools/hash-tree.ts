import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { toolFailed } from './tool-errors';

export interface TreeBound {
  /** Limits the size of all files together. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const maxEntries = 100_000;

/** One hash for the names, modes and contents of all that is below a folder. Throws for more than the bound. */
export async function hashTree(folder: string, { maxBytes, signal }: TreeBound): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  let entries = 0;
  const visit = async (path: string, name: string): Promise<void> => {
    signal.throwIfAborted();
    entries += 1;
    const stats = await lstat(path);
    bytes += stats.isFile() ? stats.size : 0;
    if (entries > maxEntries || bytes > maxBytes) throw toolFailed('It is larger than a tool may be.');
    hash.update(JSON.stringify([name, stats.mode, stats.isSymbolicLink() ? await readlink(path) : stats.size]));
    if (stats.isDirectory()) {
      for (const child of (await readdir(path)).sort()) await visit(join(path, child), `${name}/${child}`);
    } else if (stats.isFile()) {
      const content = createHash('sha256');
      await pipeline(createReadStream(path), content, { signal });
      hash.update(content.digest());
    } else if (!stats.isSymbolicLink()) throw toolFailed('It holds something that is no file, folder or link.');
  };
  await visit(folder, '');
  return hash.digest('hex');
}
