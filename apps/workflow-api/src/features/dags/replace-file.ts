import { open, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from './create-file';

/**
 * Replaces the content of a file. A crash leaves the old content or the new one, never a part of it. A link stays:
 * the file that it leads to is replaced.
 */
export async function replaceFile(file: string, text: string, draftName: string): Promise<void> {
  const target = await realpath(file);
  const folder = path.dirname(target);
  const draft = path.join(folder, draftName);
  const mode = await readMode(target);
  const handle = await open(draft, 'wx', mode);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
    await syncFolder(folder);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readMode(file: string): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    return (await handle.stat()).mode & 0o777;
  } finally {
    await handle.close();
  }
}
