import type { TokenChoice } from '../../port/inference-engine';
import { createRandom, type RandomSource } from '../model/random';
import type { SamplingRule } from './host-messages';

/** The whole distribution of the next token, softmax(logits / temperature), most likely first. */
export interface Distribution {
  readonly ids: Int32Array;
  readonly probabilities: Float64Array;
  readonly size: number;
}

export interface SampledToken {
  readonly id: number;
  /** The log-probability in the given distribution, before cut-offs, penalties, bias and grammar. */
  readonly logprob: number;
}

/** Whether a token may come next. */
export type TokenCheck = (id: number) => boolean;

/** After this many rejected draws, all remaining candidates are checked before the next draw. */
const maxDraws = 64;

/**
 * Samples the tokens of one answer. Order: bias and penalties, temperature, `topK`, `topP`, `minP`. A token that the
 * check rejects is removed and another one drawn, which samples the allowed tokens in proportion. The rest of the
 * vocabulary is used only when everything within the cut-offs is rejected.
 */
export class Sampler {
  readonly #rule: SamplingRule;
  readonly #random: RandomSource;
  readonly #counts = new Map<number, number>();
  #weights = new Float64Array(0);
  #order = new Int32Array(0);

  constructor(rule: SamplingRule) {
    this.#rule = rule;
    this.#random = createRandom(rule.seed);
  }

  /** `undefined` when no token is allowed. */
  sample(distribution: Distribution, isAllowed: TokenCheck | undefined): SampledToken | undefined {
    const { size } = distribution;
    if (this.#weights.length < size) this.#weights = new Float64Array(size);
    const weights = this.#weights.subarray(0, size);
    const isSorted = this.#weigh(distribution, weights);
    const order = isSorted ? undefined : this.#sort(weights);
    const candidateCount = this.#rule.temperature === 0 ? size : this.#cut(weights, order);
    const index = this.#choose(distribution, { weights, order, candidateCount }, isAllowed);
    if (index === undefined) return undefined;
    const id = distribution.ids[index] ?? 0;
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    return { id, logprob: Math.min(0, Math.log(distribution.probabilities[index] ?? 0)) };
  }

  /** Returns whether the order is still that of the distribution. */
  #weigh({ ids, probabilities, size }: Distribution, weights: Float64Array): boolean {
    const { logitBias, frequencyPenalty, presencePenalty, temperature } = this.#rule;
    weights.set(probabilities.subarray(0, size));
    const hasPenalty = (frequencyPenalty !== 0 || presencePenalty !== 0) && this.#counts.size > 0;
    if (logitBias.size === 0 && !hasPenalty) return true;
    const scale = temperature === 0 ? 1 : temperature;
    for (let index = 0; index < size; index++) {
      const id = ids[index] ?? 0;
      const count = hasPenalty ? (this.#counts.get(id) ?? 0) : 0;
      const shift = (logitBias.get(id) ?? 0) - (count > 0 ? count * frequencyPenalty + presencePenalty : 0);
      if (shift !== 0) weights[index] = (weights[index] ?? 0) * Math.exp(shift / scale);
    }
    return false;
  }

  /** Indexes by falling weight, equal ones by index. */
  #sort(weights: Float64Array): Int32Array {
    if (this.#order.length < weights.length) this.#order = new Int32Array(weights.length);
    const order = this.#order.subarray(0, weights.length);
    for (let rank = 0; rank < order.length; rank++) order[rank] = rank;
    return order.sort((left, right) => (weights[right] ?? 0) - (weights[left] ?? 0) || left - right);
  }

  /** How many of the most likely tokens remain. */
  #cut(weights: Float64Array, order: Int32Array | undefined): number {
    const { topK, topP, minP } = this.#rule;
    let candidateCount = topK > 0 ? Math.min(topK, weights.length) : weights.length;
    const at = (rank: number): number => weights[order?.[rank] ?? rank] ?? 0;
    if (topP < 1) {
      let total = 0;
      for (let rank = 0; rank < candidateCount; rank++) total += at(rank);
      let sum = 0;
      let rank = 0;
      while (rank < candidateCount && sum < topP * total) sum += at(rank++);
      candidateCount = Math.max(1, rank);
    }
    if (minP > 0) {
      const least = minP * at(0);
      while (candidateCount > 1 && at(candidateCount - 1) < least) candidateCount--;
    }
    return candidateCount;
  }

  #choose({ ids }: Distribution, weighted: WeightedTokens, isAllowed: TokenCheck | undefined): number | undefined {
    const check = (index: number): boolean => isAllowed === undefined || isAllowed(ids[index] ?? 0);
    if (this.#rule.temperature === 0) return findFirst(weighted, check);
    const { candidateCount, weights } = weighted;
    return (
      this.#draw({ ...weighted, from: 0, to: candidateCount }, check) ??
      this.#draw({ ...weighted, from: candidateCount, to: weights.length }, check)
    );
  }

  #draw(
    { weights, order, from, to }: WeightedTokens & RankRange,
    check: (index: number) => boolean,
  ): number | undefined {
    for (let draws = 0; ; draws++) {
      if (draws === maxDraws) removeDisallowed({ weights, order, from, to }, check);
      let total = 0;
      for (let rank = from; rank < to; rank++) total += weights[order?.[rank] ?? rank] ?? 0;
      if (!(total > 0)) return undefined;
      let remaining = this.#random() * total;
      let chosen: number | undefined;
      for (let rank = from; rank < to && remaining >= 0; rank++) {
        const index = order?.[rank] ?? rank;
        const weight = weights[index] ?? 0;
        if (weight === 0) continue;
        // Rounding may leave a remainder after the last token: then it is chosen.
        chosen = index;
        remaining -= weight;
      }
      if (chosen === undefined) return undefined;
      if (draws >= maxDraws || check(chosen)) return chosen;
      weights[chosen] = 0;
    }
  }
}

interface WeightedTokens {
  readonly weights: Float64Array;
  /** Indexes by falling weight; absent when the weights are in that order. */
  readonly order: Int32Array | undefined;
  readonly candidateCount: number;
}

interface RankRange {
  readonly from: number;
  readonly to: number;
}

function findFirst({ weights, order }: WeightedTokens, check: (index: number) => boolean): number | undefined {
  for (let rank = 0; rank < weights.length; rank++) {
    const index = order?.[rank] ?? rank;
    if (check(index)) return index;
  }
  return undefined;
}

function removeDisallowed(
  { weights, order, from, to }: Omit<WeightedTokens, 'candidateCount'> & RankRange,
  check: (index: number) => boolean,
): void {
  for (let rank = from; rank < to; rank++) {
    const index = order?.[rank] ?? rank;
    if ((weights[index] ?? 0) > 0 && !check(index)) weights[index] = 0;
  }
}

/** The most likely tokens of a distribution. */
export function mostLikely({ ids, probabilities, size }: Distribution, count: number): readonly TokenChoice[] {
  return Array.from({ length: Math.min(count, size) }, (_, rank) => ({
    id: ids[rank] ?? 0,
    // A probability below the smallest float counts as that: JSON has no infinity.
    logprob: Math.log(Math.max(probabilities[rank] ?? 0, 1e-45)),
  }));
}
