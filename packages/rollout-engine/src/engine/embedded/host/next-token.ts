import type { LlamaContextSequence } from 'node-llama-cpp';
import type { TokenChoice } from '../../port/inference-engine';
import { createRandom } from '../model/random';
import type { SamplingRule } from './host-messages';
import { evaluate, type GrammarState } from './llama-model';
import { mostLikely, Sampler, type SampledToken } from './sampler';

/** The sampled token; `token` is `undefined` if the grammar allows none. */
export interface NextToken {
  readonly token: SampledToken | undefined;
  readonly top: readonly TokenChoice[] | undefined;
}

/** Evaluates tokens that are not cached yet and samples the next one. */
export type SampleNext = (sequence: LlamaContextSequence, fresh: Int32Array) => Promise<NextToken>;

interface SampleNextOptions {
  readonly rule: SamplingRule;
  readonly grammar: GrammarState | undefined;
  readonly topLogprobs: number;
}

/**
 * If nothing shapes the distribution, the library samples from all of it and reports the probability of the token.
 * Otherwise sampling happens here, because the library would report probabilities only after the shaping. That copies
 * the distribution to JavaScript: half a millisecond for 1,000 tokens of vocabulary. Only the rule decides which.
 */
export function createSampleNext({ rule, grammar, topLogprobs }: SampleNextOptions): SampleNext {
  const toTop = (distribution: Parameters<typeof mostLikely>[0] | undefined) =>
    distribution === undefined || topLogprobs === 0 ? undefined : mostLikely(distribution, topLogprobs);
  const { temperature } = rule;
  if (grammar === undefined && isUnshaped(rule)) {
    const random = createRandom(rule.seed);
    return async (sequence, fresh) => {
      // The library treats the highest 32-bit number as "any seed".
      const seed = Math.floor(random() * 2 ** 31);
      const wanted = { temperature, seed, probabilities: topLogprobs > 0 };
      const { token, distribution } = await evaluate(sequence, fresh, wanted);
      return { token, top: toTop(distribution) };
    };
  }
  const sampler = new Sampler(rule);
  return async (sequence, fresh) => {
    const { distribution } = await evaluate(sequence, fresh, { temperature, probabilities: true });
    if (distribution === undefined) throw new Error('The library returned no probabilities.');
    return { token: sampler.sample(distribution, grammar?.isAllowed), top: toTop(distribution) };
  };
}

function isUnshaped({ topP, topK, minP, frequencyPenalty, presencePenalty, logitBias }: SamplingRule): boolean {
  const hasNoCutOff = topP >= 1 && topK === 0 && minP === 0;
  return hasNoCutOff && frequencyPenalty === 0 && presencePenalty === 0 && logitBias.size === 0;
}
