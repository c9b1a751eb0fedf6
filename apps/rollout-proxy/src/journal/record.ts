import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

const frameBytes = 8;
const headLengthBytes = 4;
/** A length beyond this is damage, not a record. */
const maxBodyBytes = 1024 * 1024 * 1024;

const arrayTypes = { i32: Int32Array, f32: Float32Array, i16: Int16Array, u8: Uint8Array } as const;
type ArrayType = keyof typeof arrayTypes;
type NumberArray = Int32Array | Float32Array | Int16Array | Uint8Array;

const headStart = '{"mark":"';

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
  const head = Buffer.from(`${headStart}${mark}","arrays":${JSON.stringify(types)},"value":${marked}}`);
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
  /** The position of the next record; bytes after it are an interrupted write. */
  readonly wholeBytes: number;
  /** Bytes before it that were written as records and can no longer be read as such. */
  readonly damagedBytes: number;
}

/**
 * Reads the records of a file. The remains of an interrupted write at the end are no damage; every other unreadable
 * record is, and the records behind it are read.
 */
export function decodeRecords(file: Buffer): DecodedRecords {
  const values: unknown[] = [];
  let offset = 0;
  let damagedBytes = 0;
  while (offset < file.length) {
    const body = wholeBody(file, offset);
    if (body !== undefined) {
      values.push(decodeBody(body));
      offset += frameBytes + body.length;
      continue;
    }
    const next = findRecord(file, offset + 1) ?? (isInterrupted(file, offset) ? offset : file.length);
    if (next === offset) break;
    damagedBytes += next - offset;
    offset = next;
  }
  return { values, wholeBytes: offset, damagedBytes };
}

/** The start of the next whole record. */
function findRecord(file: Buffer, from: number): number | undefined {
  const toHead = frameBytes + headLengthBytes;
  for (let head = file.indexOf(headStart, from + toHead); head >= 0; head = file.indexOf(headStart, head + 1)) {
    if (wholeBody(file, head - toHead) !== undefined) return head - toHead;
  }
  return undefined;
}

/** Whether the rest of a file is the beginning of a record, by the length of the record and of its parts. */
function isInterrupted(file: Buffer, offset: number): boolean {
  const rest = file.subarray(offset);
  if (rest.length < frameBytes) return true;
  const length = rest.readUInt32LE(0);
  if (length < headLengthBytes || length > maxBodyBytes || frameBytes + length <= rest.length) return false;
  const expected = lengthByHead(rest.subarray(frameBytes));
  return expected === undefined || frameBytes + expected > rest.length;
}

/** The length of a body that its head tells; `undefined` where the head is not whole. */
function lengthByHead(body: Buffer): number | undefined {
  if (body.length < headLengthBytes) return undefined;
  const headEnd = headLengthBytes + body.readUInt32LE(0);
  if (headEnd > body.length) return undefined;
  try {
    const { arrays } = JSON.parse(body.toString('utf8', headLengthBytes, headEnd)) as Head;
    return arrays.reduce((sum, [type, length]) => sum + length * arrayTypes[type].BYTES_PER_ELEMENT, headEnd);
  } catch {
    // The head cannot be parsed, so these bytes are not a record.
    return 0;
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
    // The copy is aligned, and does not retain the whole file in memory.
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
  // The type is compared by name: Jest gives each spec a separate realm, where `instanceof` fails.
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (name === 'Int32Array') return 'i32';
  if (name === 'Float32Array') return 'f32';
  if (name === 'Int16Array') return 'i16';
  return name === 'Uint8Array' ? 'u8' : undefined;
}

function toBuffer(array: NumberArray): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
