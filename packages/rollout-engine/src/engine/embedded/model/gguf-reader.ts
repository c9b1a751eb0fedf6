import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '@weir/foundation';
import { ggufMagic, ggufType } from './gguf-format';

/** A value in a file's header. 64-bit integers are sizes and ids, which fit a number. */
export type GgufField = string | number | boolean | readonly string[] | Float64Array;

const maxHeaderBytes = 256 * 1_048_576;
const firstRead = 4 * 1_048_576;

/**
 * Reads the header of a GGUF file. Rejects with `invalid_request`: reason `model_file_unreadable`, or `gguf_invalid` for
 * another kind of file or a header of more than 256 MiB.
 */
export async function readGgufFields(file: string): Promise<ReadonlyMap<string, GgufField>> {
  const handle = await openModel(file);
  try {
    const { size } = await handle.stat();
    for (let length = Math.min(firstRead, size); ; length = Math.min(length * 4, size)) {
      if (length > maxHeaderBytes) throw notReadable();
      const fields = parse(await readStart(handle, length));
      if (fields !== undefined) return fields;
      if (length === size) throw notReadable();
    }
  } finally {
    await handle.close();
  }
}

async function openModel(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    throw new AppError('invalid_request', 'The model file cannot be opened.', {
      reason: 'model_file_unreadable',
      cause: error,
    });
  }
}

async function readStart(handle: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** `undefined` when the header is longer than the bytes. */
function parse(bytes: Buffer): ReadonlyMap<string, GgufField> | undefined {
  if (bytes.length < 24) throw notReadable();
  if (bytes.readUInt32LE(0) !== ggufMagic || bytes.readUInt32LE(4) < 2) throw notReadable();
  const cursor = new Cursor(bytes, 16);
  const fields = new Map<string, GgufField>();
  try {
    const count = cursor.count();
    for (let index = 0; index < count; index++) {
      const key = cursor.text();
      fields.set(key, cursor.value(cursor.u32()));
    }
    return fields;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Throws a `RangeError` at the end of the bytes. */
class Cursor {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#step(4));
  }

  count(): number {
    return Number(this.#bytes.readBigUInt64LE(this.#step(8)));
  }

  text(): string {
    const length = this.count();
    const start = this.#step(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  value(type: number): GgufField {
    if (type === ggufType.string) return this.text();
    if (type === ggufType.bool) return this.#bytes.readUInt8(this.#step(1)) !== 0;
    return type === ggufType.array ? this.#list() : this.#number(type);
  }

  #list(): GgufField {
    const type = this.u32();
    const count = this.count();
    // Checked before the allocation: an element has at least one byte.
    if (count > this.#bytes.length - this.#at) throw new RangeError('The list is longer than the bytes.');
    if (type === ggufType.string) return Array.from({ length: count }, () => this.text());
    if (type === ggufType.array) throw notReadable();
    return Float64Array.from({ length: count }, () => Number(this.value(type)));
  }

  #number(type: number): number {
    const bytes = this.#bytes;
    switch (type) {
      case ggufType.u8:
        return bytes.readUInt8(this.#step(1));
      case ggufType.i8:
        return bytes.readInt8(this.#step(1));
      case ggufType.u16:
        return bytes.readUInt16LE(this.#step(2));
      case ggufType.i16:
        return bytes.readInt16LE(this.#step(2));
      case ggufType.u32:
        return this.u32();
      case ggufType.i32:
        return bytes.readInt32LE(this.#step(4));
      case ggufType.f32:
        return bytes.readFloatLE(this.#step(4));
      case ggufType.u64:
        return this.count();
      case ggufType.i64:
        return Number(bytes.readBigInt64LE(this.#step(8)));
      case ggufType.f64:
        return bytes.readDoubleLE(this.#step(8));
      default:
        throw notReadable();
    }
  }

  #step(length: number): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) throw new RangeError('The header is longer than the bytes.');
    this.#at += length;
    return start;
  }
}

function notReadable(): AppError {
  return new AppError('invalid_request', 'The model file is not a readable GGUF file.', {
    reason: 'gguf_invalid',
  });
}
