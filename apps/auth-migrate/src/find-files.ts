import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Folders that hold nothing a workflow of this repository uses. */
const ignoredFolders = new Set(['.git', 'node_modules']);

/**
 * The workflows of a repository and the metadata files of its own actions, relative to the folder and sorted. Links are
 * not followed. A file gives only itself. Throws if nothing exists at the path.
 */
export function findFiles(root: string): readonly string[] {
  if (statSync(root).isFile()) return [''];
  return listFiles(root, '').sort();
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : listFiles(root, file);
    return entry.isFile() && isWanted(folder, entry.name) ? [file] : [];
  });
}

function isWanted(folder: string, name: string): boolean {
  if (/^action\.ya?ml$/.test(name)) return true;
  return /(?:^|\/)\.github\/workflows$/.test(folder) && /\.ya?ml$/.test(name);
}
