import { link, open, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a file with its whole content, or rejects with `EEXIST`. A crash leaves either no file or all of it; one of
 * several concurrent calls wins.
 */
export async function createFile(file: string, text: string, draftName: string): Promise<void> {
  const folder = path.dirname(file);
  const draft = path.join(folder, draftName);
  const handle = await open(draft, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces an existing file.
    await link(draft, file);
    try {
      await syncFolder(folder);
    } catch (error) {
      // A refused file must not exist.
      await rm(file, { force: true });
      throw error;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** The new name survives a power cut only once its folder is on disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
