import type { DType } from './dtype';
import { tensorFromLittleEndian } from './little-endian';
import { invalidFile, parseHeader, type SafetensorsEntry } from './safetensors-header';
import type { TensorDict } from './tensor';

export interface SafetensorsReadLimits {
  /** The maximum length of the JSON header. Default 1048576 (1 MiB). */
  readonly maxHeaderBytes?: number;
  /** Default 1024. */
  readonly maxTensors?: number;
}

export interface SafetensorsFile {
  readonly tensors: TensorDict;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Reads a safetensors file that holds only float32, int32, int16 and bool. Tensors are views on the given bytes where
 * alignment and byte order allow (always, for files of `writeSafetensors` in memory of their own), else copies; so
 * the bytes must not be changed afterwards. Bits are kept: NaN payloads, -0 and infinities too.
 *
 * Refuses a header over the limit or past the end, text that is not UTF-8 or JSON, repeated or unknown keys, other
 * dtypes, data of another length than the shape's, data out of range, overlapping, or with holes before, between or
 * after, and bools other than 0 and 1.
 *
 * Fails with `safetensors_invalid`, `tensor_dtype_unknown`, `tensor_shape_invalid`, `tensor_data_mismatch`,
 * `tensor_name_invalid`, `tensor_bool_invalid` or `tensors_too_large`.
 */
export function readSafetensors(bytes: Uint8Array, limits: SafetensorsReadLimits = {}): SafetensorsFile {
  const headerLength = readHeaderLength(bytes, bytes.byteLength, limits.maxHeaderBytes ?? 1_048_576);
  const header = parseHeader(bytes.subarray(8, 8 + headerLength), limits.maxTensors ?? 1024);
  const data = bytes.subarray(8 + headerLength);
  checkLayout(header.entries, data.byteLength);
  const tensors = Object.fromEntries(
    header.entries.map(({ name, dtype, shape, begin, end }) => [
      name,
      tensorFromLittleEndian<DType>(dtype, shape, data.subarray(begin, end)),
    ]),
  );
  return { tensors, metadata: header.metadata };
}

/** Reads the header's length from the first bytes of a file of that size. */
export function readHeaderLength(bytes: Uint8Array, size: number, maxHeaderBytes: number): number {
  if (bytes.byteLength < 8) throw invalidFile('The file is too short for a header.');
  const length = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
  // Written so that a limit that is no number lets nothing through.
  if (!(length <= maxHeaderBytes)) throw invalidFile(`The header is longer than ${maxHeaderBytes} bytes.`);
  if (length > BigInt(size - 8)) throw invalidFile('The header goes past the end of the file.');
  return Number(length);
}

/** The tensors, put in order, must cover the data exactly. */
export function checkLayout(entries: readonly SafetensorsEntry[], dataLength: number): void {
  const ordered = [...entries].sort((left, right) => left.begin - right.begin || left.end - right.end);
  let covered = 0;
  for (const { name, begin, end } of ordered) {
    if (begin < covered) throw invalidFile('Two tensors overlap.', { name });
    if (begin > covered) throw invalidFile('There is a hole between tensors.', { name });
    covered = end;
  }
  if (covered > dataLength) throw invalidFile('The data goes past the end of the file.');
  if (covered < dataLength) throw invalidFile('There are bytes after the last tensor.');
}
