import type { DType } from './dtype';
import type { Shape } from './shape';
import type { Tensor } from './tensor';

export interface ExtraKeyInfo {
  readonly dtype: DType;
  /** Axes after `[rows, length]`. A single one may differ between dictionaries that are padded together. */
  readonly axes: 0 | 1 | 2;
  /** Which tokens have values: those that are trained, or all. */
  readonly scope: 'trained' | 'all';
  /** The neutral value: of padding and of tokens without values. */
  readonly fill: number;
  readonly min: number;
}

/** The value of an id that is not there. */
export const noId = -1;
/** A logarithm whose probability is 0 and that is still finite. vLLM uses the same value. */
export const noLogprob = -9999;

/** Keys that a dictionary may have. */
export const extraKeys = {
  loss_weights: { dtype: 'float32', axes: 0, scope: 'trained', fill: 0, min: 0 },
  top_ids: { dtype: 'int32', axes: 1, scope: 'trained', fill: noId, min: noId },
  top_logprobs: { dtype: 'float32', axes: 1, scope: 'trained', fill: noLogprob, min: noLogprob },
  sampling_mask: { dtype: 'int32', axes: 1, scope: 'trained', fill: noId, min: noId },
  ref_logprobs: { dtype: 'float32', axes: 0, scope: 'trained', fill: 0, min: noLogprob },
  ref_top_ids: { dtype: 'int32', axes: 1, scope: 'trained', fill: noId, min: noId },
  ref_top_logprobs: { dtype: 'float32', axes: 1, scope: 'trained', fill: noLogprob, min: noLogprob },
  prompt_logprobs: { dtype: 'float32', axes: 0, scope: 'all', fill: 0, min: noLogprob },
  routed_experts: { dtype: 'int16', axes: 2, scope: 'all', fill: noId, min: noId },
} as const satisfies Record<string, ExtraKeyInfo>;

export type ExtraKey = keyof typeof extraKeys;

/** In the order in which dictionaries have them. */
export const extraKeyNames = Object.keys(extraKeys) as readonly ExtraKey[];

/** Keys that describe the same entries, so that one of them means nothing alone. */
export const pairedKeys: readonly (readonly [ExtraKey, ExtraKey])[] = [
  ['top_ids', 'top_logprobs'],
  ['ref_top_ids', 'ref_top_logprobs'],
];

/** How many elements a token has, by the axes after `[rows, length]`. */
export const elementsPerToken = (shape: Shape): number => shape.slice(2).reduce((product, size) => product * size, 1);

/** The first token whose mask is 0 and that has another value than the neutral one; -1 without one. */
export function findNotNeutral(tensor: Tensor, mask: Int32Array | Uint8Array, fill: number): number {
  const width = elementsPerToken(tensor.shape);
  for (let token = 0; token < mask.length; token += 1) {
    if (mask[token] === 1) continue;
    for (let at = token * width; at < (token + 1) * width; at += 1) if (tensor.data[at] !== fill) return token;
  }
  return -1;
}
