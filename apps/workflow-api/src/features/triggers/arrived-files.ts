import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file or an object of a store that matches a trigger. */
export interface ArrivedFile {
  /** The absolute path, or `s3://BUCKET/KEY`. */
  readonly path: string;
  /** Its size and times: the same as long as it has not changed. */
  readonly mark: string;
  readonly size: number;
  readonly changedAtMs: number;
  /** Of an object, whose content is known without reading it. */
  readonly object?: {
    /** Identifies the address with the content. */
    readonly key: string;
    /** For how long it has not changed, by the clock of the store. */
    readonly quietMs: number;
  };
}

export interface ArrivedFiles {
  /** The longest unchanged first. */
  readonly files: readonly ArrivedFile[];
  /** Whether all that match are there; further ones are left out. */
  readonly isComplete: boolean;
}

/** Files of one trigger that are looked at. */
export const maxFiles = 10_000;
/** A larger file is known by its size and times, because reading it takes too long. */
const maxHashedBytes = 1024 ** 3;
const globCharacters = /[*?[\]{}()!]/;

/** The folder in which all files of a glob are. */
export function folderOf(pattern: string): string {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => globCharacters.test(part));
  return first === -1 ? path.dirname(pattern) : parts.slice(0, first).join('/') || '/';
}

/** Lists the regular files that match an absolute glob; a folder that is missing has none. */
export async function listFiles(pattern: string, signal: AbortSignal): Promise<ArrivedFiles> {
  const files: ArrivedFile[] = [];
  const cwd = folderOf(pattern);
  for await (const found of glob(path.relative(cwd, pattern), { cwd })) {
    signal.throwIfAborted();
    if (files.length === maxFiles) return { files: files.toSorted(byAge), isComplete: false };
    const file = await readFileMark(path.join(cwd, found));
    if (file !== undefined) files.push(file);
  }
  return { files: files.toSorted(byAge), isComplete: true };
}

/** Returns `undefined` for what is gone, is no regular file or cannot be reached. */
export async function readFileMark(file: string): Promise<ArrivedFile | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const { size, mtimeNs, mtimeMs } = found;
  return { path: file, mark: `${size}:${mtimeNs}`, size: Number(size), changedAtMs: Number(mtimeMs) };
}

export function placeOf(file: string): string {
  return createHash('sha256').update(file).digest('hex');
}

/** Identifies the path with its content. */
export async function keyOf({ path: file, mark, size }: ArrivedFile, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256').update(`${file}\0`);
  if (size > maxHashedBytes) return hash.update(mark).digest('hex');
  for await (const chunk of createReadStream(file, { end: Math.max(0, size - 1), signal }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function byAge(left: ArrivedFile, right: ArrivedFile): number {
  return left.changedAtMs - right.changedAtMs || (left.path < right.path ? -1 : 1);
}
