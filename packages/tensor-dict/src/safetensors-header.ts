import { dtypeInfo, type DType } from './dtype';
import { parseSafetensorsDType } from './safetensors-dtype';
import { checkShape, elementCount, type Shape } from './shape';
import { tensorFailure } from './tensor-errors';
import { checkTensorName, isWellFormed, metadataKey } from './tensor-name';

export interface SafetensorsEntry {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: Shape;
  /** Bytes from the start of the data. */
  readonly begin: number;
  readonly end: number;
}

interface SafetensorsHeader {
  readonly entries: readonly SafetensorsEntry[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** Reads the JSON header. Everything about a single entry is checked here, the layout of all of them by the reader. */
export function parseHeader(bytes: Uint8Array, maxTensors: number): SafetensorsHeader {
  const text = decodeUtf8(bytes);
  const members = Object.entries(parseObject(text));
  const metadataMember = members.find(([name]) => name === metadataKey);
  const tensorMembers = members.filter(([name]) => name !== metadataKey);
  if (!(tensorMembers.length <= maxTensors)) {
    throw tensorFailure('tensors_too_large', 'There are more tensors than allowed.', { count: tensorMembers.length });
  }
  const metadata = metadataMember === undefined ? {} : parseMetadata(metadataMember[1]);
  const entries = tensorMembers.map(([name, value]) => parseEntry(name, value));
  // Each entry has exactly three members, so the count shows whether JSON.parse dropped a repeated one.
  if (countMembers(text) !== members.length + Object.keys(metadata).length + 3 * entries.length) {
    throw invalidFile('The header has a key twice.');
  }
  return { entries, metadata };
}

export const invalidFile = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  tensorFailure('safetensors_invalid', message, details);

function parseEntry(name: string, value: unknown): SafetensorsEntry {
  checkTensorName(name);
  if (!isRecord(value) || Object.keys(value).length !== 3) {
    throw invalidFile('A header entry is not {dtype, shape, data_offsets}.', { name });
  }
  const dtype = parseSafetensorsDType(value.dtype);
  if (dtype === undefined) {
    throw tensorFailure('tensor_dtype_unknown', 'The dtype is none of I32, F32, I16 and BOOL.', { name });
  }
  const shape = checkShape(value.shape);
  const [begin, end, ...more] = Array.isArray(value.data_offsets) ? (value.data_offsets as unknown[]) : [];
  if (!isOffset(begin) || !isOffset(end) || more.length > 0 || begin > end) {
    throw invalidFile('The data offsets of a tensor are not a range.', { name });
  }
  if (end - begin !== elementCount(shape) * dtypeInfo[dtype].bytesPerElement) {
    throw tensorFailure('tensor_data_mismatch', 'The data of a tensor is not as long as its shape demands.', { name });
  }
  return { name, dtype, shape, begin, end };
}

function parseMetadata(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) throw invalidFile('The metadata is not an object.');
  const entries = Object.entries(value).map(([key, text]): [string, string] => {
    if (typeof text !== 'string' || !isWellFormed(text) || !isWellFormed(key)) {
      throw invalidFile('The metadata is not a map from text to text.');
    }
    return [key, text];
  });
  return Object.fromEntries(entries);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder's error only repeats that the bytes are not UTF-8.
    throw invalidFile('The header is not UTF-8.');
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  if (!text.startsWith('{')) throw invalidFile('The header does not start with a brace.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the header, which is not ours to repeat.
    throw invalidFile('The header is not JSON.');
  }
  if (!isRecord(value)) throw invalidFile('The header is not an object.');
  return value;
}

/** Members of all objects in a valid JSON text: the colons outside its strings. */
function countMembers(text: string): number {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text[index];
    if (isInString && unit === '\\') index += 1;
    else if (unit === '"') isInString = !isInString;
    else if (unit === ':' && !isInString) count += 1;
  }
  return count;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
