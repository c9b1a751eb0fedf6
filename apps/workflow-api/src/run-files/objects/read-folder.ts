import { LRUCache } from 'lru-cache';
import type { RunFolder, StoredEntry, StoredFile } from '../files/run-files';
import { storeUnavailable } from './store-errors';
import {
  findRanges,
  manifestPrefix,
  parseManifest,
  partPrefix,
  sizeOfParts,
  type FolderManifest,
  type ManifestFile,
  type PartRange,
} from './folder-manifest';
import type { ObjectStorage } from './object-storage';

/** Whole parts up to this size are cached, because followers of a log read its end repeatedly. */
const maxCachedPartBytes = 256 * 1024;
const maxCachedBytes = 16 * 1024 * 1024;
const maxCachedManifests = 500;
const rangesAtOnce = 8;

export type FolderReader = ReturnType<typeof createFolderReader>;
type ReadManifest = (folder: string) => Promise<FolderManifest | undefined>;
/** Returns `undefined` when one of them is missing. */
type ReadParts = (prefix: string, ranges: readonly PartRange[]) => Promise<Buffer | undefined>;

/** Reads the files that owners of runs have sent. */
export function createFolderReader(storage: ObjectStorage) {
  const readManifest = createManifestReader(storage);
  const readParts = createPartReader(storage);
  return {
    /** Reads the manifest of the last owner; `undefined` where none has sent anything. */
    readManifest,

    /** Returns `undefined` where no owner has sent anything. */
    async open(folder: string): Promise<RunFolder | undefined> {
      const manifest = await readManifest(folder);
      if (manifest === undefined) return undefined;
      const fileAt = (path: string): ManifestFile | undefined => manifest.files.get(normalize(path));
      return {
        open: (path) => {
          const file = fileAt(path);
          const opened = { folder, path: normalize(path), manifest };
          return Promise.resolve(file && openFile(opened, file, { readManifest, readParts }));
        },
        sizeOf: (path) => Promise.resolve(sizeOfParts(fileAt(path)?.parts ?? [])),
        list: (path) => Promise.resolve(listEntries(manifest, normalize(path))),
        hasFiles: () => Promise.resolve(manifest.files.size > 0),
      };
    },
  };
}

function createManifestReader(storage: ObjectStorage): ReadManifest {
  const manifests = new LRUCache<string, FolderManifest>({ max: maxCachedManifests });
  const read: ReadManifest = async (folder) => {
    const last = (await storage.list(manifestPrefix(folder))).at(-1);
    if (last === undefined) return undefined;
    const cacheKey = `${last.key} ${last.etag}`;
    const known = manifests.get(cacheKey);
    if (known !== undefined) return known;
    const bytes = await storage.get(last.key);
    // A later owner has removed the manifest and has one of its own.
    if (bytes === undefined) return read(folder);
    const manifest = parseManifest(bytes);
    manifests.set(cacheKey, manifest);
    return manifest;
  };
  return read;
}

function createPartReader(storage: ObjectStorage): ReadParts {
  const cache = new LRUCache<string, Buffer>({ maxSize: maxCachedBytes, sizeCalculation: ({ length }) => length + 1 });
  const readRange = async (prefix: string, { number, bytes, from, to }: PartRange): Promise<Buffer | undefined> => {
    const key = `${prefix}${number}`;
    if (bytes > maxCachedPartBytes) return storage.get(key, { from, to });
    const whole = cache.get(key) ?? (await storage.get(key));
    if (whole !== undefined) cache.set(key, whole);
    return whole?.subarray(from, to + 1);
  };
  return async (prefix, ranges) => {
    const found: Buffer[] = [];
    for (let at = 0; at < ranges.length; at += rangesAtOnce) {
      const some = await Promise.all(ranges.slice(at, at + rangesAtOnce).map((range) => readRange(prefix, range)));
      for (const part of some) {
        if (part === undefined) return undefined;
        found.push(part);
      }
    }
    return found.length === 1 ? found[0] : Buffer.concat(found);
  };
}

interface OpenedFile {
  readonly folder: string;
  readonly path: string;
  readonly manifest: FolderManifest;
}

interface Reads {
  readonly readManifest: ReadManifest;
  readonly readParts: ReadParts;
}

function openFile(opened: OpenedFile, { generation, parts }: ManifestFile, reads: Reads): StoredFile {
  const { folder, path } = opened;
  const size = sizeOfParts(parts);
  const read = async (from: number, wanted: number): Promise<Buffer> => {
    const length = Math.max(0, Math.min(wanted, size - from));
    // Parts are removed when they are merged, so a missing one is looked up again.
    for (let manifest: FolderManifest | undefined = opened.manifest; manifest !== undefined && length > 0;) {
      const current = manifest.files.get(path);
      // The file was replaced or cut meanwhile.
      if (current?.generation !== generation) break;
      const ranges = findRanges(current.parts, from, length);
      const bytes = await reads.readParts(partPrefix(folder, manifest.writer), ranges);
      if (bytes !== undefined) return bytes;
      const next = await reads.readManifest(folder);
      if (next === manifest) throw storeUnavailable(new Error(`A part of ${folder}/${path} is missing.`));
      manifest = next;
    }
    return Buffer.alloc(0);
  };
  return { size, identity: `${folder}/${path} ${generation}`, read, close: () => Promise.resolve() };
}

function normalize(path: string): string {
  return path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

function listEntries({ files }: FolderManifest, path: string): readonly StoredEntry[] | undefined {
  const start = path === '' ? '' : `${path}/`;
  const entries = new Map<string, StoredEntry>();
  for (const [file, { parts }] of files) {
    if (!file.startsWith(start)) continue;
    const [name = '', ...below] = file.slice(start.length).split('/');
    const isFile = below.length === 0;
    entries.set(name, { name, type: isFile ? 'file' : 'directory', size: isFile ? sizeOfParts(parts) : 0 });
  }
  return entries.size === 0 && path !== '' ? undefined : [...entries.values()];
}
