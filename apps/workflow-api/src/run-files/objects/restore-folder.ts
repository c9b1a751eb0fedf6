import { mkdir, open, rm } from 'node:fs/promises';
import { confinedPath } from '@weir/workflow-engine';
import type { StoredFile } from '../files/run-files';
import type { FolderReader } from './read-folder';

const chunkBytes = 4 * 1024 * 1024;

/** Replaces a folder of this machine by the files that the last owner of the run has sent of it. */
export async function restoreFolder(reader: FolderReader, folder: string): Promise<void> {
  const stored = await reader.open(folder);
  const manifest = await reader.readManifest(folder);
  if (stored === undefined || manifest === undefined) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of manifest.files.keys()) {
    const target = await confinedPath(folder, name, { makesFolders: true });
    const file = await stored.open(name);
    if ('problem' in target || file === undefined) continue;
    await writeFile(target.path, file);
  }
}

async function writeFile(target: string, file: StoredFile): Promise<void> {
  const handle = await open(target, 'wx', 0o600);
  try {
    for (let at = 0; at < file.size;) {
      const bytes = await file.read(at, chunkBytes);
      if (bytes.length === 0) break;
      await handle.write(bytes, 0, bytes.length, at);
      at += bytes.length;
    }
  } finally {
    await handle.close();
  }
}
