import { z } from 'zod';

const count = z.int().min(0);

const StoredManifest = z.strictObject({
  version: z.literal(1),
  writer: z.string().regex(/^\d{10}-[0-9a-f-]{36}$/),
  isClosed: z.boolean(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      generation: count,
      parts: z.array(z.strictObject({ number: count, bytes: count, level: count })),
    }),
  ),
});

/** Lists the files that one owner of a run has sent of one of its folders. */
export interface FolderManifest {
  /** The name of the owner, which its parts are stored below. */
  readonly writer: string;
  /** Whether the owner has sent everything and ended. */
  readonly isClosed: boolean;
  /** The files by their paths in the folder. */
  readonly files: ReadonlyMap<string, ManifestFile>;
}

export interface ManifestFile {
  /** Grows whenever the file changed in another way than by appending. */
  readonly generation: number;
  readonly parts: readonly FilePart[];
}

/** An object that never changes. */
export interface FilePart {
  /** The number in the key of its object. */
  readonly number: number;
  readonly bytes: number;
  /** Counts how often its bytes were merged with others. */
  readonly level: number;
}

/** This many parts of one level become one of the next. */
const partsPerMerge = 16;
/** Larger parts are not merged. */
const maxMergedBytes = 8 * 1024 * 1024;

export function parseManifest(bytes: Uint8Array): FolderManifest {
  const { files, ...rest } = StoredManifest.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  return { ...rest, files: new Map(files.map(({ path, ...file }) => [path, file])) };
}

export function formatManifest({ files, ...rest }: FolderManifest): Uint8Array {
  const listed = Array.from(files, ([path, file]) => ({ path, ...file }));
  return Buffer.from(JSON.stringify({ version: 1, ...rest, files: listed }));
}

/** Keys of later owners sort after those of earlier ones. */
export function writerName(token: number, id: string): string {
  return `${String(token).padStart(10, '0')}-${id}`;
}

/** Returns the prefix of all objects of a folder, by its absolute path. */
export function folderPrefix(folder: string): string {
  return `${folder.replace(/^\/+|\/+$/g, '')}/`;
}

export function manifestPrefix(folder: string): string {
  return `${folderPrefix(folder)}manifests/`;
}

export function partPrefix(folder: string, writer: string): string {
  return `${folderPrefix(folder)}parts/${writer}/`;
}

export function sizeOfParts(parts: readonly Pick<FilePart, 'bytes'>[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

/** Returns the last parts if they are to be merged: even a log that grows for long has only a few hundred parts. */
export function findMerge(parts: readonly FilePart[]): readonly FilePart[] | undefined {
  const level = parts.at(-1)?.level ?? 0;
  const last = parts.slice(-partsPerMerge);
  const isFull = last.length === partsPerMerge && last.every((part) => part.level === level);
  return isFull && sizeOfParts(last) <= maxMergedBytes ? last : undefined;
}

export interface PartRange {
  readonly number: number;
  /** The size of the whole part. */
  readonly bytes: number;
  /** The range in the part; the last byte is included. */
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges of parts that contain these bytes of a file. */
export function findRanges(parts: readonly FilePart[], from: number, length: number): readonly PartRange[] {
  const ranges: PartRange[] = [];
  let start = 0;
  for (const { number, bytes } of parts) {
    const first = Math.max(from, start);
    const end = Math.min(from + length, start + bytes);
    if (first < end) ranges.push({ number, bytes, from: first - start, to: end - start - 1 });
    start += bytes;
  }
  return ranges;
}
