import type { PathSegment } from '@weir/rollout-contract';
import { readSafetensors, type Tensor } from '@weir/tensor-dict';
import { unwrap } from '@weir/ui-kit/app';
import { api } from './client';

/** The tokens of the path of an interaction; all lists have one entry for each. */
export interface TokenPath {
  readonly count: number;
  readonly segments: readonly PathSegment[];
  readonly ids: Int32Array;
  /** NaN for what was not sampled. */
  readonly logprobs: Float32Array;
  readonly versions: Int32Array;
  /** 0: rendered by the template. 1: sampled by this call. 2: sampled by an earlier one. */
  readonly sources: Int32Array;
  readonly turns: Int32Array;
  /** 1 where the row of the interaction trains the token. */
  readonly lossMask: Uint8Array;
  readonly control: Uint8Array;
  /** The bytes of each token. */
  readonly bytesOf: (index: number) => Uint8Array;
}

const fileType = 'application/x-safetensors';
const maxHeaderBytes = 16 * 1024 * 1024;

export interface InteractionAddress {
  readonly sessionId: string;
  readonly interactionId: string;
}

/** Reads the tokens as binary lists. Rejects like an operation of the client. */
export async function readTokens(address: InteractionAddress, signal: AbortSignal): Promise<TokenPath> {
  const file = await unwrap(
    api.GET('/rl/sessions/{sessionId}/interactions/{interactionId}/tokens', {
      params: { path: { ...address } },
      headers: { accept: fileType },
      parseAs: 'arrayBuffer',
      signal,
    }),
  );
  return parseTokens(new Uint8Array(file));
}

export function parseTokens(file: Uint8Array): TokenPath {
  const { tensors, metadata } = readSafetensors(file, { maxHeaderBytes });
  const ids = integers(tensors.ids);
  const offsets = integers(tensors.byte_offsets);
  const packed = integers(tensors.bytes);
  const bytes = new Uint8Array(packed.buffer, packed.byteOffset, Number(metadata.byte_length));
  return {
    count: ids.length,
    segments: JSON.parse(metadata.segments ?? '[]') as readonly PathSegment[],
    ids,
    logprobs: tensors.logprobs?.dtype === 'float32' ? tensors.logprobs.data : new Float32Array(ids.length),
    versions: integers(tensors.versions),
    sources: integers(tensors.sources),
    turns: integers(tensors.turns),
    lossMask: flags(tensors.loss_mask),
    control: flags(tensors.control),
    bytesOf: (index) => bytes.subarray(offsets[index], offsets[index + 1]),
  };
}

const integers = (tensor: Tensor | undefined): Int32Array =>
  tensor?.dtype === 'int32' ? tensor.data : new Int32Array();

const flags = (tensor: Tensor | undefined): Uint8Array => (tensor?.dtype === 'bool' ? tensor.data : new Uint8Array());
