import { AppError } from '@weir/foundation';
import type { SampledTokens } from '@weir/rollout-core';
import type { SamplingParameters } from '../engine/port/inference-engine';

/**
 * Whether a call samples from a part of the vocabulary. Throws `invalid_request`, reason `sampling_mask_unbounded`, for
 * cut-offs without `topK`, which may leave nearly all of it: engines refuse to report that.
 */
export function hasCutoff({ temperature = 1, topK = 0, topP = 1, minP = 0 }: SamplingParameters): boolean {
  // A greedy choice is of the whole vocabulary.
  if (temperature === 0) return false;
  if (topK > 0) return true;
  if (topP >= 1 && minP <= 0) return false;
  throw new AppError('invalid_request', 'A sampling mask is recorded only with "top_k", which bounds it.', {
    reason: 'sampling_mask_unbounded',
  });
}

/** A call without cut-offs has masks without ids: nothing was excluded. */
export function withMask(tokens: SampledTokens): SampledTokens {
  if (tokens.mask !== undefined) return tokens;
  return { ...tokens, mask: { lengths: new Int32Array(tokens.ids.length), ids: new Int32Array(0) } };
}
