import { noId } from '@weir/tensor-dict';
import type { TopTokens } from '../sampled-tokens';
import type { Interaction } from './interaction';
import type { InteractionCache } from './interaction-cache';
import { pathSegments, sampledFrom, type PathSegment } from './path-tokens';

/**
 * What is recorded of a path's tokens besides themselves. All lists have its length; one that would hold nothing is
 * missing.
 */
export interface RecordedDetail {
  /** The most likeliest tokens at one position, by the engine or another model; 0 where there are none. */
  readonly alternatives: number;
  /** `entropiesOf`; NaN where there are none. */
  readonly entropies: Float32Array | undefined;
  /** NaN for tokens of no prompt, or of one whose log-probabilities were not recorded. */
  readonly promptLogprobs: Float32Array | undefined;
  /** How many tokens cut-offs left; 0 where nothing was cut off, -1 where it was not recorded. */
  readonly maskSizes: Int32Array | undefined;
  /** NaN for what was not sampled. Missing where all weights are 1. */
  readonly lossWeights: Float32Array | undefined;
  /** By the name of the model; NaN for what it did not score. */
  readonly scores: ReadonlyMap<string, Float32Array>;
}

type Recorded = Pick<InteractionCache, 'lossWeights' | 'scores'>;

/**
 * Describes what is recorded of the path of an interaction, in new arrays. Linear in its length; `entropies` is asked
 * once for each interaction that has likeliest tokens.
 */
export function describeRecorded(
  interaction: Interaction,
  { lossWeights, scores }: Recorded,
  entropies: (interaction: Interaction) => Float32Array | undefined = ({ sampled }) =>
    sampled.top && entropiesOf(sampled.top),
): RecordedDetail {
  const segments = pathSegments(interaction);
  const length = interaction.pathTokens;
  const weights = fillSampled(segments, length, ({ id, sampled }) => {
    const list = new Float32Array(sampled.ids.length);
    lossWeights.write(id, list);
    return list;
  });
  return {
    alternatives: Math.max(0, ...segments.flatMap(({ interaction: owner }) => topCounts(owner, scores))),
    entropies: fillSampled(segments, length, entropies),
    promptLogprobs: fillPrompts(segments, length),
    maskSizes: fillSizes(segments, length),
    lossWeights: weights?.some((weight) => !Number.isNaN(weight) && weight !== 1) === true ? weights : undefined,
    scores: new Map(
      scores.scorers().flatMap((scorer) => {
        const list = fillSampled(segments, length, ({ id }) => scores.get(scorer, id)?.logprobs);
        return list === undefined ? [] : [[scorer, list] as const];
      }),
    ),
  };
}

/**
 * The entropy at each position in nats, all tokens that are not among the likeliest taken together as one. So it is at
 * most that of the whole distribution.
 */
export function entropiesOf({ count, ids, logprobs }: TopTokens): Float32Array {
  const entropies = new Float32Array(ids.length / count);
  for (let at = 0; at < entropies.length; at += 1) {
    let sum = 0;
    let rest = 1;
    for (let entry = at * count; entry < (at + 1) * count; entry += 1) {
      const logprob = logprobs[entry] ?? 0;
      const probability = ids[entry] === noId ? 0 : Math.exp(logprob);
      rest -= probability;
      if (probability > 0) sum -= probability * logprob;
    }
    // Sums of 32-bit values may exceed 1 a little.
    entropies[at] = rest > 0 ? sum - rest * Math.log(rest) : sum;
  }
  return entropies;
}

function topCounts({ id, sampled }: Interaction, scores: Recorded['scores']): readonly number[] {
  const others = scores.scorers().flatMap((scorer) => scores.get(scorer, id)?.top?.count ?? []);
  return [sampled.top?.count ?? 0, ...others];
}

/** A list for the path from those of its calls; `undefined` where no call has one. */
function fillSampled(
  segments: readonly PathSegment[],
  length: number,
  listOf: (owner: Interaction) => Float32Array | undefined,
): Float32Array | undefined {
  let filled: Float32Array | undefined;
  for (const segment of segments) {
    const list = listOf(segment.interaction);
    if (list === undefined) continue;
    filled ??= new Float32Array(length).fill(Number.NaN);
    const from = sampledFrom(segment);
    filled.set(list.subarray(0, segment.to - from), from);
  }
  return filled;
}

function fillPrompts(segments: readonly PathSegment[], length: number): Float32Array | undefined {
  let filled: Float32Array | undefined;
  for (const segment of segments) {
    const { contextLogprobs } = segment.interaction;
    if (contextLogprobs === undefined) continue;
    filled ??= new Float32Array(length).fill(Number.NaN);
    filled.set(contextLogprobs.subarray(0, sampledFrom(segment) - segment.from), segment.from);
  }
  return filled;
}

function fillSizes(segments: readonly PathSegment[], length: number): Int32Array | undefined {
  let filled: Int32Array | undefined;
  for (const segment of segments) {
    const { mask } = segment.interaction.sampled;
    if (mask === undefined) continue;
    filled ??= new Int32Array(length).fill(-1);
    const from = sampledFrom(segment);
    filled.set(mask.lengths.subarray(0, segment.to - from), from);
  }
  return filled;
}
