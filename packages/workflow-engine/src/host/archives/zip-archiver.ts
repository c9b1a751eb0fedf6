import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isAppError, isSystemError } from '@weir/foundation';
import type { Entry, FileEntry } from '@zip.js/zip.js';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../files/error-code';
import {
  checkEntryCount,
  damaged,
  stripFolders,
  tooLarge,
  type ArchiveEntry,
  type Archiver,
  type PackOrder,
  type ReadOrder,
  type UnpackOrder,
} from './archive';
import { plainPath } from './tar-archiver';

/** AES with 256 bits. */
const encryptionStrength = 3;

export const zipArchiver: Archiver = {
  async pack(order) {
    const { ZipWriter } = await loadZip();
    const { file, level, password, signal } = order;
    const target = createWriteStream(file, { flags: 'wx' });
    const encryption = password === undefined ? {} : { password, encryptionStrength };
    const writer = new ZipWriter(Writable.toWeb(target), { level, signal, ...encryption } as never);
    try {
      for (const entry of order.entries) await addEntry(writer, entry, order);
      await writer.close();
    } catch (error) {
      target.destroy();
      throw error;
    }
  },
  list: (order) => withEntries(order, (entries) => Promise.resolve(entries.map(toEntry))),
  unpack: (order) =>
    withEntries(order, async (entries) => {
      let rest = order.maxBytes;
      for (const entry of entries) rest -= await unpackEntry(entry, order, rest);
    }),
};

/** Loaded on first use; its workers would be threads of the browser. */
async function loadZip() {
  const zip = await import('@zip.js/zip.js');
  zip.configure({ useWebWorkers: false });
  return zip;
}

type Zip = Awaited<ReturnType<typeof loadZip>>;

async function addEntry(
  writer: InstanceType<Zip['ZipWriter']>,
  { path, kind, mode = 0o644 }: ArchiveEntry,
  { folder, signal }: PackOrder,
): Promise<void> {
  signal.throwIfAborted();
  const options = { unixMode: mode, lastModDate: (await lstat(join(folder, path))).mtime };
  if (kind === 'folder') {
    await writer.add(`${path}/`, undefined, { ...options, directory: true });
    return;
  }
  if (kind !== 'file') throw actionFailed('source contains a link, which a zip archive cannot hold.');
  await writer.add(path, Readable.toWeb(createReadStream(join(folder, path))) as ReadableStream, options);
}

async function withEntries<T>(
  { file, password, signal }: ReadOrder,
  use: (entries: readonly Entry[]) => Promise<T>,
): Promise<T> {
  const zip = await loadZip();
  const handle = await open(file);
  try {
    const reader = new zip.ZipReader(await handleReader(zip, handle), {
      signal,
      checkCrc32: true,
      ...(password === undefined ? {} : { password }),
    });
    const entries: Entry[] = [];
    for await (const entry of reader.getEntriesGenerator()) {
      entries.push(entry);
      checkEntryCount(entries.length);
    }
    return await use(entries);
  } catch (error) {
    throw toFailure(zip, error, signal);
  } finally {
    await handle.close();
  }
}

async function handleReader({ Reader }: Zip, handle: FileHandle) {
  const { size } = await handle.stat();
  class HandleReader extends Reader<FileHandle> {
    override size = size;
    override async readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, index);
      return buffer.subarray(0, bytesRead);
    }
  }
  return new HandleReader(handle);
}

function toFailure(zip: Zip, error: unknown, signal: AbortSignal): unknown {
  if (isAppError(error) || signal.aborted || errorCode(error) !== undefined) return error;
  // The library tells its errors apart by their messages, which it exports as constants.
  const message = error instanceof Error ? error.message : undefined;
  if (message === zip.ERR_ENCRYPTED) return actionFailed('The archive is encrypted, and there is no password.', error);
  if (message === zip.ERR_INVALID_PASSWORD) return actionFailed('The archive has another password.', error);
  return damaged('zip', error);
}

async function unpackEntry(entry: Entry, order: UnpackOrder, restBytes: number): Promise<number> {
  const { folder, isWanted, strip, signal } = order;
  signal.throwIfAborted();
  const { path, mode } = toEntry(entry);
  const place = isWanted(path) ? stripFolders(path, strip) : undefined;
  if (place === undefined) return 0;
  const target = join(folder, place);
  if (entry.directory) {
    await makeFolders(folder, place);
    return 0;
  }
  await makeFolders(folder, dirname(place));
  // Removed instead of overwritten: it may be a link that leads elsewhere.
  await rm(target, { force: true });
  const bytes = await writeContent(entry, target, { restBytes, maxBytes: order.maxBytes });
  if (mode !== undefined) await chmod(target, mode);
  return bytes;
}

/** The size in the archive may be wrong, so what arrives is counted. */
async function writeContent(
  entry: FileEntry,
  target: string,
  { restBytes, maxBytes }: { readonly restBytes: number; readonly maxBytes: number },
): Promise<number> {
  let bytes = 0;
  const counter = new Transform({
    transform: (part: Buffer, _encoding, done) => {
      bytes += part.length;
      if (bytes > restBytes) done(tooLarge(maxBytes));
      else done(null, part);
    },
  });
  const written = pipeline(counter, createWriteStream(target, { flags: 'wx' }));
  const read = entry.getData(Writable.toWeb(counter)).catch((error: unknown) => {
    // A reader that fails before its first byte leaves the stream open.
    counter.destroy();
    throw error;
  });
  const [writing, reading] = await Promise.allSettled([written, read]);
  if (writing.status === 'fulfilled' && reading.status === 'fulfilled') return bytes;
  await rm(target, { force: true });
  // The failure of the counter explains that of the reader.
  throw [writing, reading].map(failureOf).find(isAppError) ?? failureOf(reading) ?? failureOf(writing);
}

function failureOf(result: PromiseSettledResult<unknown>): unknown {
  return result.status === 'rejected' ? result.reason : undefined;
}

/** No folder on the way may be a link, which could lead anywhere. */
async function makeFolders(root: string, relative: string): Promise<void> {
  let at = root;
  for (const name of relative.split('/').filter((each) => each !== '' && each !== '.')) {
    at = join(at, name);
    try {
      await mkdir(at);
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
      if (!(await lstat(at)).isDirectory())
        throw actionFailed('destination contains a link or file in place of a folder.');
    }
  }
}

const linkType = 0o120_000;
const typeMask = 0o170_000;

function toEntry({ filename, directory, uncompressedSize, externalFileAttributes }: Entry): ArchiveEntry {
  const attributes = externalFileAttributes >>> 16;
  const isLink = (attributes & typeMask) === linkType;
  return {
    path: plainPath(filename),
    kind: directory ? 'folder' : isLink ? 'other' : 'file',
    size: uncompressedSize,
    mode: attributes === 0 ? undefined : attributes & 0o777,
  };
}
