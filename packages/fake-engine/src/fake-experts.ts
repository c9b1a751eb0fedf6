import type { FakeEngineRequest } from './fake-engine-types';
import type { FakeSample } from './fake-sampling';

/** The expert that a layer chose for the token at a position: determined by all three. */
export const expertId = (position: number, layer: number, rank: number): number =>
  (position * 7 + layer * 3 + rank) % 128;

/** Experts of the tokens from the asked one to the last but one, row-major. */
function experts(request: FakeEngineRequest, { ids, answer, experts: shape }: FakeSample) {
  const from = request.expertsFrom;
  const { experts: fault } = answer.faults ?? {};
  if (from === undefined || shape === undefined || fault === 'missing') return undefined;
  const { layers, perToken } = shape;
  const rows = Math.max(0, request.promptIds.length + ids.length - 1 - from - (fault === 'short' ? 1 : 0));
  const width = layers * perToken;
  const values = Array.from({ length: rows * width }, (_value, at) =>
    expertId(from + Math.floor(at / width), Math.floor((at % width) / perToken), at % perToken),
  );
  return { values, shape: [rows, layers, perToken] };
}

/** Base64 of int32 without a shape. */
export function sglangExperts(request: FakeEngineRequest, sample: FakeSample): { readonly routed_experts?: string } {
  const found = experts(request, sample);
  if (found === undefined) return {};
  return { routed_experts: Buffer.from(Int32Array.from(found.values).buffer).toString('base64') };
}

/** Base64 of a NumPy file of uint8; never with a stream. */
export function vllmExperts(request: FakeEngineRequest, sample: FakeSample): { readonly routed_experts?: string } {
  const found = request.isStreaming ? undefined : experts(request, sample);
  if (found === undefined) return {};
  const text = `{'descr': '|u1', 'fortran_order': False, 'shape': (${found.shape.join(', ')}), }`;
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const start = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  start.writeUInt16LE(header.length, 8);
  return { routed_experts: Buffer.concat([start, header, Buffer.from(found.values)]).toString('base64') };
}
