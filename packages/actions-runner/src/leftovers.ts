import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { LeftoverFile } from './runner-types';

const maxFileBytes = 16 * 1_048_576;

export interface FileWatch {
  /** New and changed files since the watch began, by path. */
  readonly changed: () => readonly LeftoverFile[];
}

/** Notes what lies below the folders; nothing in a `node_modules` is looked at. */
export function watchFiles(folders: readonly string[]): FileWatch {
  const before = marks(folders);
  return {
    changed: () =>
      [...marks(folders)]
        .filter(([file, mark]) => before.get(file) !== mark)
        .map(([file]) => ({ path: file, bytes: contentOf(file) }))
        .sort((left, right) => left.path.localeCompare(right.path)),
  };
}

function marks(folders: readonly string[]): Map<string, string> {
  return new Map(folders.flatMap(filesBelow).map((file) => [file, mark(file)]));
}

function mark(file: string): string {
  const { size, mtimeMs, ino } = lstatSync(file);
  return `${size} ${mtimeMs} ${ino}`;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (!entry.isDirectory()) return [place];
    return entry.name === 'node_modules' ? [] : filesBelow(place);
  });
}

/** Of a symbolic link, where it points. */
function contentOf(file: string): Buffer {
  const stats = lstatSync(file);
  if (stats.isSymbolicLink()) return Buffer.from(readlinkSync(file));
  if (!stats.isFile()) return Buffer.alloc(0);
  if (stats.size > maxFileBytes) throw new Error(`${file} is too large to be kept: ${stats.size} bytes.`);
  return readFileSync(file);
}
