import type { RoutedExperts } from '@weir/rollout-core';
import type { ExpertRequest } from '../port/inference-engine';

/**
 * SGLang's `meta_info.routed_experts`: base64 of little-endian int32, row-major, without a shape
 * (`return_routed_experts` in `python/sglang/srt/managers/io_struct.py` of sgl-project/sglang). `undefined` where it is
 * not of whole rows.
 */
export function readInt32Experts(text: string, { from, layers, perToken }: ExpertRequest): RoutedExperts | undefined {
  const bytes = Buffer.from(text, 'base64');
  const width = layers * perToken;
  if (bytes.length === 0 || bytes.length % (width * 4) !== 0) return undefined;
  const ids = new Int16Array(bytes.length / 4);
  for (let at = 0; at < ids.length; at += 1) ids[at] = bytes.readInt32LE(at * 4);
  return { from, layers, perToken, ids };
}

/** The element types that vLLM has used for experts. */
const readers: Readonly<Record<string, (bytes: Buffer, at: number) => number>> = {
  '|u1': (bytes, at) => bytes[at] ?? 0,
  '<u2': (bytes, at) => bytes.readUInt16LE(at * 2),
  '<i2': (bytes, at) => bytes.readInt16LE(at * 2),
  '<i4': (bytes, at) => bytes.readInt32LE(at * 4),
};

const magic = Buffer.from('\x93NUMPY', 'latin1');

/**
 * vLLM's `choices[].routed_experts`: base64 of a NumPy file of shape `[rows, layers, experts]`
 * (`vllm/entrypoints/serve/disagg/protocol.py` of vllm-project/vllm). Rows are those of the whole sequence but its last
 * token, or, where the server knows `routed_experts_prompt_start`, those from there; `tokens` is the length of the
 * sequence. `undefined` for any other shape.
 */
export function readNumpyExperts(text: string, request: ExpertRequest, tokens: number): RoutedExperts | undefined {
  const bytes = Buffer.from(text, 'base64');
  const parsed = parseHeader(bytes);
  if (parsed === undefined) return undefined;
  const { data, read, shape } = parsed;
  const [rows = 0, layers, perToken] = shape;
  const from = tokens - 1 - rows;
  const isExpected = from === 0 || from === request.from;
  if (shape.length !== 3 || layers !== request.layers || perToken !== request.perToken || !isExpected) return undefined;
  const width = layers * perToken;
  // Rows that the path has already are left out.
  const skipped = request.from - from;
  const ids = new Int16Array((rows - skipped) * width);
  for (let at = 0; at < ids.length; at += 1) ids[at] = read(data, skipped * width + at);
  return { from: request.from, layers, perToken, ids };
}

interface NumpyArray {
  readonly data: Buffer;
  readonly read: (bytes: Buffer, at: number) => number;
  readonly shape: readonly number[];
}

/** The header of a NumPy file, versions 1 to 3 of its format (numpy.lib.format). */
function parseHeader(bytes: Buffer): NumpyArray | undefined {
  if (bytes.length < 12 || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const isLong = (bytes[6] ?? 0) > 1;
  const start = isLong ? 12 : 10;
  const end = start + (isLong ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8));
  const header = bytes.toString('latin1', start, end);
  const type = /'descr': *'([^']{2,3})'/.exec(header)?.[1] ?? '';
  const shape = /'shape': *\(([\d, ]*)\)/
    .exec(header)?.[1]
    ?.split(',')
    .flatMap((size) => (size.trim() === '' ? [] : Number(size)));
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read === undefined || shape === undefined || !header.includes("'fortran_order': False")) return undefined;
  const data = bytes.subarray(end);
  const elements = shape.reduce((product, size) => product * size, 1);
  return data.length === elements * Number(type.at(-1)) ? { data, read, shape } : undefined;
}
