import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { actionFailed } from '../action-errors';
import { toFileInfo, findStats, type FileInfo } from './file-info';

export interface FoundFile extends FileInfo {
  /** Below the folder that was walked. */
  readonly path: string;
}

interface WalkOptions {
  readonly isRecursive: boolean;
  readonly isLinkFollowed: boolean;
  readonly signal: AbortSignal;
}

const maxFiles = 100_000;

/** All that a folder holds, by name; a folder before what is in it. A link into a folder that was seen ends there. */
export async function walkFolder(folder: string, options: WalkOptions): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const seen = new Set<string>();
  await visit('');
  return found;

  async function visit(below: string): Promise<void> {
    const here = join(folder, below);
    const real = await realpath(here);
    if (seen.has(real)) return;
    seen.add(real);
    for (const name of (await readdir(here)).sort()) {
      options.signal.throwIfAborted();
      const path = join(below, name);
      const full = join(folder, path);
      // A link that leads nowhere is still there as a link; a file may also be gone by now.
      const stats = (await findStats(full, options.isLinkFollowed)) ?? (await findStats(full, false));
      if (!stats) continue;
      if (found.length === maxFiles) throw actionFailed(`path holds more than ${maxFiles} files.`);
      found.push({ path, ...toFileInfo(stats) });
      if (options.isRecursive && stats.isDirectory()) await visit(path);
    }
  }
}
