import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

const frameBytes = 8;
const headLengthBytes = 4;
/** A length beyond this is damage, not a record. */
const maxBodyBytes = 1024 * 1024 * 1024;

const arrayTypes = { i32: Int32Array, f32: Float32Array, u8: Uint8Array } as const;
type ArrayType = keyof typeof arrayTypes;
type NumberArray = Int32Array | Float32Array | Uint8Array;

interface Head {
  /** The key that marks the position of an array. Random, so that no text of a client equals it. */
  readonly mark: string;
  readonly arrays: readonly (readonly [type: ArrayType, length: number])[];
  readonly value: unknown;
}

/**
 * The bytes of a record: length and CRC32 of the rest, the length of the JSON head, the head, then the typed arrays of
 * the value as they are in memory. Token ids are never written as text.
 */
export function encodeRecord(value: unknown): Buffer {
  const arrays: NumberArray[] = [];
  const mark = randomUUID();
  const marked = JSON.stringify(value, (_key, inner: unknown) => {
    if (findArrayType(inner) === undefined) return inner;
    return { [mark]: arrays.push(inner as NumberArray) - 1 };
  });
  const types = arrays.map((array) => [findArrayType(array), array.length]);
  const head = Buffer.from(`{"mark":"${mark}","arrays":${JSON.stringify(types)},"value":${marked}}`);
  const parts = [Buffer.alloc(frameBytes + headLengthBytes), head, ...arrays.map(toBuffer)];
  const record = Buffer.concat(parts);
  const body = record.subarray(frameBytes);
  body.writeUInt32LE(head.length, 0);
  record.writeUInt32LE(body.length, 0);
  record.writeUInt32LE(crc32(body), 4);
  return record;
}

export interface DecodedRecords {
  readonly values: readonly unknown[];
  /** The end of the last complete record; what follows is an interrupted write, or damage. */
  readonly wholeBytes: number;
}

/** Reads records up to the first incomplete one. */
export function decodeRecords(file: Buffer): DecodedRecords {
  const values: unknown[] = [];
  let offset = 0;
  for (;;) {
    const body = wholeBody(file, offset);
    if (body === undefined) return { values, wholeBytes: offset };
    values.push(decodeBody(body));
    offset += frameBytes + body.length;
  }
}

function wholeBody(file: Buffer, offset: number): Buffer | undefined {
  if (offset + frameBytes > file.length) return undefined;
  const length = file.readUInt32LE(offset);
  const end = offset + frameBytes + length;
  if (length < headLengthBytes || length > maxBodyBytes || end > file.length) return undefined;
  const body = file.subarray(offset + frameBytes, end);
  return crc32(body) === file.readUInt32LE(offset + 4) ? body : undefined;
}

function decodeBody(body: Buffer): unknown {
  const headEnd = headLengthBytes + body.readUInt32LE(0);
  // Its checksum was verified: it is what `encodeRecord` wrote.
  const head = JSON.parse(body.toString('utf8', headLengthBytes, headEnd)) as Head;
  let offset = headEnd;
  const arrays = head.arrays.map(([type, length]) => {
    const Type = arrayTypes[type];
    const byteLength = length * Type.BYTES_PER_ELEMENT;
    // A copy: it is aligned, and does not retain the whole file in memory.
    const copy = new Uint8Array(body.subarray(offset, offset + byteLength)).buffer;
    offset += byteLength;
    return new Type(copy);
  });
  return withArrays(head.value, head.mark, arrays);
}

function withArrays(value: unknown, mark: string, arrays: readonly NumberArray[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => withArrays(inner, mark, arrays));
  const index = (value as Readonly<Record<string, unknown>>)[mark];
  if (typeof index === 'number') return arrays[index];
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withArrays(inner, mark, arrays)]));
}

function findArrayType(value: unknown): ArrayType | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  // By name: Jest gives each spec a realm of its own, where `instanceof` fails.
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (name === 'Int32Array') return 'i32';
  if (name === 'Float32Array') return 'f32';
  return name === 'Uint8Array' ? 'u8' : undefined;
}

function toBuffer(array: NumberArray): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
