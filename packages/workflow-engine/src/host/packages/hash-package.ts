import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { packageFailed } from './package-errors';

/** Limits the files of a package, as they are checked out. */
export const packageBounds = { files: 8_192, bytes: 268_435_456 } as const;

/** `sha256:` and one hash of the names, contents and executability of all files below a folder. */
export async function hashPackage(folder: string, signal: AbortSignal): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  if (files.length > packageBounds.files) throw packageFailed('it has too many files.');
  if (!files.every((file) => file.isFile())) throw packageFailed('it holds a link.');
  const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
  const hash = createHash('sha256');
  let bytes = 0;
  for (const name of names) {
    const { size, mode } = await stat(join(folder, name));
    bytes += size;
    if (bytes > packageBounds.bytes) throw packageFailed('it is too large.');
    const content = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), content, { signal });
    hash.update(JSON.stringify([name, (mode & 0o100) !== 0, content.digest('hex')]));
  }
  return `sha256:${hash.digest('hex')}`;
}
