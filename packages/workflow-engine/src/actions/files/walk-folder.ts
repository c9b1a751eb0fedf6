import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';
import { toFileInfo, findStats, type FileInfo } from '../../host/files/file-info';

export interface FoundFile extends FileInfo {
  /** Relative to the walked folder. */
  readonly path: string;
}

interface WalkOptions {
  readonly isRecursive: boolean;
  readonly isLinkFollowed: boolean;
  readonly signal: AbortSignal;
}

const maxFiles = 100_000;

/** Lists a folder by name, each folder before its content. A link to a folder that was already visited is not followed. */
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
      // A dangling link still exists as a link; a file may have been deleted meanwhile.
      const stats = (await findStats(full, options.isLinkFollowed)) ?? (await findStats(full, false));
      if (!stats) continue;
      if (found.length === maxFiles) throw actionFailed(`path contains more than ${maxFiles} files.`);
      found.push({ path, ...toFileInfo(stats) });
      if (options.isRecursive && stats.isDirectory()) await visit(path);
    }
  }
}
