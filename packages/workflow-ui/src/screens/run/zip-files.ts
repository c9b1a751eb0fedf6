/** A file that is put into an archive. */
export interface ZipEntry {
  /** The path with "/" between folders. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const utf8Names = 0x0800;
const version = 20;
/** The date is 1 January 1980, the first day of the format. */
const date = 0x0021;

/** Creates a ZIP archive of uncompressed files. It holds at most 65,535 files, and less than 4 GB. */
export function zipFiles(entries: readonly ZipEntry[]): Blob {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, bytes } of entries) {
    const name = new TextEncoder().encode(path);
    const sizes = [crc32(bytes), bytes.length, bytes.length] as const;
    const common = (view: Writer): Writer =>
      view
        .u16(version)
        .u16(utf8Names)
        .u16(0)
        .u16(0)
        .u16(date)
        .u32(sizes[0])
        .u32(sizes[1])
        .u32(sizes[2])
        .u16(name.length);
    const header = common(new Writer(30).u32(0x04034b50)).u16(0).bytes;
    const entry = common(new Writer(46).u32(0x02014b50).u16(version));
    directory.push(entry.u16(0).u16(0).u16(0).u16(0).u32(0).u32(offset).bytes, name);
    parts.push(header, name, bytes);
    offset += header.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new Writer(22).u32(0x06054b50).u16(0).u16(0).u16(entries.length).u16(entries.length);
  const all = [...parts, ...directory, end.u32(size).u32(offset).u16(0).bytes];
  // Every part has a plain buffer, which the type cannot express.
  return new Blob(all as BlobPart[], { type: 'application/zip' });
}

/** Writes numbers one after another, the lowest byte first. */
class Writer {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.#view = new DataView(this.bytes.buffer);
  }

  u16(value: number): this {
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
    return this;
  }

  u32(value: number): this {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
