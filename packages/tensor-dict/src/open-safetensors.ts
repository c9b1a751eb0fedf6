import type { DType } from './dtype';
import { dtypeInfo } from './dtype';
import { tensorFromLittleEndian } from './little-endian';
import { checkLayout, readHeaderLength, type SafetensorsReadLimits } from './read-safetensors';
import { invalidFile, parseHeader } from './safetensors-header';
import type { Shape } from './shape';
import type { Tensor } from './tensor';
import { tensorFailure } from './tensor-errors';

/** The file of a reader, of which any range can be read completely or rejects. */
export interface SafetensorsSource {
  /** Bytes of the whole file. */
  readonly size: number;
  readonly read: (position: number, length: number) => Promise<Uint8Array>;
}

/** A file whose tensors are read when they are asked for. */
export interface SafetensorsReader {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: Readonly<Record<string, { readonly dtype: DType; readonly shape: Shape }>>;
  /**
   * The elements from `begin` to `end` (default: all) of a tensor, as a list. Rejects like `readSafetensors`, and with
   * `tensor_data_mismatch` for a range that the tensor does not have.
   */
  readonly read: (name: string, begin?: number, end?: number) => Promise<Tensor>;
}

/** Reads the header of a file, with the checks of `readSafetensors`, and its data in ranges. */
export async function openSafetensors(
  source: SafetensorsSource,
  limits: SafetensorsReadLimits = {},
): Promise<SafetensorsReader> {
  const start = await source.read(0, Math.min(8, source.size));
  const headerLength = readHeaderLength(start, source.size, limits.maxHeaderBytes ?? 1_048_576);
  const header = parseHeader(await source.read(8, headerLength), limits.maxTensors ?? 1024);
  const data = 8 + headerLength;
  checkLayout(header.entries, source.size - data);
  const entries = new Map(header.entries.map((entry) => [entry.name, entry]));
  return {
    metadata: header.metadata,
    tensors: Object.fromEntries(header.entries.map(({ name, dtype, shape }) => [name, { dtype, shape }])),
    read: async (name, begin = 0, asked) => {
      const entry = entries.get(name);
      if (entry === undefined) throw invalidFile('The file has no such tensor.', { name });
      const { bytesPerElement } = dtypeInfo[entry.dtype];
      const count = (entry.end - entry.begin) / bytesPerElement;
      const end = asked ?? count;
      if (!(begin >= 0 && begin <= end && end <= count)) {
        throw tensorFailure('tensor_data_mismatch', 'The tensor does not have this range.', { name });
      }
      const length = (end - begin) * bytesPerElement;
      const bytes = await source.read(data + entry.begin + begin * bytesPerElement, length);
      return tensorFromLittleEndian<DType>(entry.dtype, [end - begin], bytes);
    },
  };
}
