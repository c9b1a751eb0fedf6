import { AppError } from '@weir/foundation';

/** A weight of some sampled tokens of a call, counted from its first one, half open. */
export interface WeightRange {
  readonly from: number;
  readonly to: number;
  /** Finite as a float32, from 0. */
  readonly weight: number;
}

/** How much trained tokens count in the loss. A token without a weight has that of its session, which is 1 by default. */
export interface LossWeights {
  /** The weight of tokens that have none of their own. Fails with `invalid_request`, reason `loss_weight_invalid`. */
  setSession(weight: number): void;
  /**
   * Sets the weights of ranges, in order, over what was set before. Fails with `not_found` (reason
   * `unknown_interaction`) and `invalid_request` (reasons `loss_weight_invalid`, `loss_range_invalid`), and sets nothing
   * then.
   */
  set(id: string, ranges: readonly WeightRange[]): void;
  /** Fails like `set`, without setting anything. */
  check(id: string, ranges: readonly WeightRange[]): void;
  /** Writes the weights of a call's sampled tokens to the beginning of an array of as many elements. */
  write(id: string, target: Float32Array): void;
}

/** `sampledTokens`: how many tokens a completed call has sampled; `undefined` for an unknown one. */
export function createLossWeights(sampledTokens: (id: string) => number | undefined): LossWeights {
  let sessionWeight = 1;
  /** One float32 for each sampled token of a call, NaN where none was set. */
  const ownWeights = new Map<string, Float32Array>();
  const check = (id: string, ranges: readonly WeightRange[]): number => {
    const tokens = sampledTokens(id);
    if (tokens === undefined) {
      throw new AppError('not_found', 'There is no completed interaction with this id.', {
        reason: 'unknown_interaction',
      });
    }
    for (const range of ranges) checkRange(range, tokens);
    return tokens;
  };
  return {
    setSession: (weight) => {
      checkLossWeight(weight);
      sessionWeight = weight;
    },
    set: (id, ranges) => {
      const tokens = check(id, ranges);
      const weights = ownWeights.get(id) ?? new Float32Array(tokens).fill(Number.NaN);
      for (const { from, to, weight } of ranges) weights.fill(weight, from, to);
      ownWeights.set(id, weights);
    },
    check: (id, ranges) => void check(id, ranges),
    write: (id, target) => {
      target.fill(sessionWeight);
      ownWeights.get(id)?.forEach((weight, at) => {
        if (!Number.isNaN(weight)) target[at] = weight;
      });
    },
  };
}

export function checkLossWeight(weight: number): void {
  if (weight >= 0 && Number.isFinite(Math.fround(weight))) return;
  throw new AppError('invalid_request', 'A loss weight is a number from 0 that is finite as a 32-bit float.', {
    reason: 'loss_weight_invalid',
  });
}

function checkRange({ from, to, weight }: WeightRange, tokens: number): void {
  checkLossWeight(weight);
  if (Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && from < to && to <= tokens) return;
  throw new AppError('invalid_request', `A range is within the ${tokens} sampled tokens of the call.`, {
    reason: 'loss_range_invalid',
    details: { from, to, tokens },
  });
}
