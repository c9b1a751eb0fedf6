import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { LeftoverFile } from './runner-types';

const maxFileBytes = 16 * 1_048_576;

export interface FileWatch {
  /** Files that are new or changed since the watch started, sorted by path. */
  readonly changed: () => readonly LeftoverFile[];
}

/** Records the files below the folders, except in `node_modules`. */
export function watchFiles(folders: readonly string[]): FileWatch {
  const before = fingerprints(folders);
  return {
    changed: () =>
      [...fingerprints(folders)]
        .filter(([file, fingerprint]) => before.get(file) !== fingerprint)
        .map(([file]) => ({ path: file, bytes: readContent(file) }))
        .sort((left, right) => left.path.localeCompare(right.path)),
  };
}

function fingerprints(folders: readonly string[]): Map<string, string> {
  return new Map(folders.flatMap(listFiles).map((file) => [file, fingerprint(file)]));
}

function fingerprint(file: string): string {
  const { size, mtimeMs, ino } = lstatSync(file);
  return `${size} ${mtimeMs} ${ino}`;
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (!entry.isDirectory()) return [file];
    return entry.name === 'node_modules' ? [] : listFiles(file);
  });
}

/** The content of a symbolic link is its target. */
function readContent(file: string): Buffer {
  const stats = lstatSync(file);
  if (stats.isSymbolicLink()) return Buffer.from(readlinkSync(file));
  if (!stats.isFile()) return Buffer.alloc(0);
  if (stats.size > maxFileBytes) throw new Error(`${file} is too large: ${stats.size} bytes.`);
  return readFileSync(file);
}
