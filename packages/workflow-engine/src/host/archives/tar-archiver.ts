import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, Writable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { isAppError } from '@weir/foundation';
import { errorCode } from '../files/error-code';
import {
  checkEntryCount,
  damaged,
  tooLarge,
  type ArchiveEntry,
  type ArchiveFormat,
  type Archiver,
  type ReadOrder,
} from './archive';

type TarFormat = Exclude<ArchiveFormat, 'zip'>;

/** Loaded on first use. */
const loadTar = () => import('tar');
type Tar = Awaited<ReturnType<typeof loadTar>>;
type Pack = InstanceType<Tar['Pack']>;
type Parser = InstanceType<Tar['Parser']>;
type ReadEntry = InstanceType<Tar['ReadEntry']>;

/** Reads and writes tar, plain or compressed. */
export function createTarArchiver(format: TarFormat): Archiver {
  return {
    async pack({ folder, entries, file, level, signal }) {
      const { Pack: TarPack } = await loadTar();
      // Strict: what cannot be read fails the archive instead of being left out.
      const packing = new TarPack({ cwd: folder, noDirRecurse: true, strict: true });
      const parts = Readable.from(readParts(packing), { objectMode: false });
      for (const { path } of entries) packing.write(path);
      packing.end();
      await pipeline([parts, ...compressors(format, level), createWriteStream(file, { flags: 'wx' })], { signal });
    },
    async list(order) {
      const { Parser: TarParser } = await loadTar();
      const entries: ArchiveEntry[] = [];
      const parser = new TarParser({
        strict: true,
        onReadEntry: (entry) => {
          entries.push(toEntry(entry));
          checkEntryCount(entries.length);
          entry.resume();
        },
      });
      await read(format, order, parser);
      return entries;
    },
    async unpack({ folder, isWanted, strip, maxBytes, ...order }) {
      const { Unpack } = await loadTar();
      let bytes = 0;
      const parser = new Unpack({
        cwd: folder,
        strip,
        strict: true,
        preserveOwner: false,
        onReadEntry: (entry) => {
          bytes += entry.size;
          if (bytes > maxBytes) throw tooLarge(maxBytes);
        },
        filter: (path) => isWanted(plainPath(path)),
      });
      await read(format, order, parser);
    },
  };
}

async function* readParts(packing: Pack): AsyncGenerator<Buffer> {
  for await (const part of packing) yield part;
}

async function read(format: TarFormat, { file, signal }: ReadOrder, parser: Parser): Promise<void> {
  try {
    await pipeline([createReadStream(file), ...decompressors(format), toWritable(parser)], { signal });
  } catch (error) {
    if (isAppError(error) || signal.aborted || isFileError(error)) throw error;
    throw damaged(format, error);
  }
}

/** The parsers of the library are no streams of Node. Errors of its callbacks are thrown by `write`. */
function toWritable(parser: Parser): Writable {
  const writable = new Writable({
    write: (part: Buffer, _encoding, done) => {
      try {
        if (parser.write(part)) done();
        else parser.once('drain', () => done());
      } catch (error) {
        done(error instanceof Error ? error : new Error('The archive could not be read.', { cause: error }));
      }
    },
    final: (done) => {
      parser.once('close', () => done());
      parser.end();
    },
  });
  parser.on('error', (error: Error) => writable.destroy(error));
  return writable;
}

function compressors(format: TarFormat, level: number): readonly Transform[] {
  if (format === 'tar') return [];
  if (format === 'tar.gz') return [zlib.createGzip({ level })];
  return [zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_compressionLevel]: Math.max(1, level) } })];
}

function decompressors(format: TarFormat): readonly Transform[] {
  if (format === 'tar') return [];
  return [format === 'tar.gz' ? zlib.createGunzip() : zlib.createZstdDecompress()];
}

const kinds: Readonly<Record<string, ArchiveEntry['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  SymbolicLink: 'link',
  Link: 'hard link',
};

function toEntry({ path, type, size, mode, linkpath }: ReadEntry): ArchiveEntry {
  const kind = kinds[type] ?? 'other';
  return { path: plainPath(path), kind, size, mode, target: linkpath };
}

/** Without the `./` and the `/` that some programs write. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
}

/** The disk is to blame, not the archive. */
function isFileError(error: unknown): boolean {
  return /^E[A-Z]+$/.test(errorCode(error) ?? '');
}
