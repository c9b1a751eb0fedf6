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
  /** How many of the likeliest tokens are recorded at a position; 0 where there are none. */
  readonly alternatives: number;
  /** In nats; NaN where there are none. */
  readonly entropies: Float32Array | undefined;
  /** NaN for what no prompt added. */
  readonly promptLogprobs: Float32Array | undefined;
  /** How many tokens cut-offs left; 0 for all, -1 where it was not recorded. */
  readonly maskSizes: Int32Array | undefined;
  /** NaN for what was not sampled. */
  readonly lossWeights: Float32Array | undefined;
  /** Log-probabilities by other models, by their names; NaN for what a model did not score. */
  readonly scores: ReadonlyMap<string, Float32Array>;
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
    logprobs: floats(tensors.logprobs) ?? new Float32Array(ids.length),
    versions: integers(tensors.versions),
    sources: integers(tensors.sources),
    turns: integers(tensors.turns),
    lossMask: flags(tensors.loss_mask),
    control: flags(tensors.control),
    alternatives: Number(metadata.alternatives ?? 0),
    entropies: floats(tensors.entropies),
    promptLogprobs: floats(tensors.prompt_logprobs),
    maskSizes: tensors.mask_sizes && integers(tensors.mask_sizes),
    lossWeights: floats(tensors.loss_weights),
    scores: readScores(tensors),
    bytesOf: (index) => bytes.subarray(offsets[index], offsets[index + 1]),
  };
}

const integers = (tensor: Tensor | undefined): Int32Array =>
  tensor?.dtype === 'int32' ? tensor.data : new Int32Array();

const floats = (tensor: Tensor | undefined): Float32Array | undefined =>
  tensor?.dtype === 'float32' ? tensor.data : undefined;

const scorePrefix = 'scores.';

function readScores(tensors: Readonly<Record<string, Tensor>>): TokenPath['scores'] {
  const named = Object.entries(tensors).filter(([name]) => name.startsWith(scorePrefix));
  return new Map(
    named.flatMap(([name, tensor]) => {
      const list = floats(tensor);
      return list === undefined ? [] : [[name.slice(scorePrefix.length), list] as const];
    }),
  );
}

const flags = (tensor: Tensor | undefined): Uint8Array => (tensor?.dtype === 'bool' ? tensor.data : new Uint8Array());
