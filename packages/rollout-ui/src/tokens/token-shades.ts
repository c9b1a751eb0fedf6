import type { TokenMarks } from '@weir/ui-kit';
import type { TokenPath } from '../api/read-tokens';

/** What the colour of a token says. */
export const tokenColours = ['logprob', 'entropy', 'mask', 'version', 'turn', 'source'] as const;
const scorePrefix = 'score:';
/** `score:teacher` is the difference to what the model of that name thinks. */
export type TokenColour = (typeof tokenColours)[number] | `${typeof scorePrefix}${string}`;

/** The least probabilities of the shades 0 to 6; below the last one it is shade 7. */
export const probabilitySteps: readonly number[] = [0.99, 0.95, 0.9, 0.75, 0.5, 0.25, 0.1];
/** In nats: the least entropies, and differences of log-probabilities, of the shades 1 to 7; below the first one it is 0. */
export const entropySteps: readonly number[] = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2];
export const differenceSteps: readonly number[] = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const noShade = -1;
/** Shades that are easily told apart, for things without an order. */
const distinctShades = [1, 5, 3, 7, 2, 6, 4, 0] as const;
export const trainedShade = 6;
export const splicedShade = 3;

export function shadeOfProbability(logprob: number): number {
  if (Number.isNaN(logprob)) return noShade;
  const probability = Math.exp(logprob);
  const step = probabilitySteps.findIndex((least) => probability >= least);
  return step === -1 ? probabilitySteps.length : step;
}

export function shadeOfAmount(amount: number, steps: readonly number[]): number {
  return Number.isNaN(amount) ? noShade : steps.filter((least) => amount >= least).length;
}

/** Only what is recorded of the path can be a colour. */
export function coloursOf({ entropies, scores }: Pick<TokenPath, 'entropies' | 'scores'>): readonly TokenColour[] {
  const fixed = tokenColours.filter((colour) => colour !== 'entropy' || entropies !== undefined);
  return [...fixed, ...[...scores.keys()].map((scorer) => `${scorePrefix}${scorer}` as const)];
}

/** The model whose difference a colour shows. */
export function scorerOf(colour: TokenColour): string | undefined {
  return colour.startsWith(scorePrefix) ? colour.slice(scorePrefix.length) : undefined;
}

/** The colour that an address names; the path may not have it. */
export function readColour(value: unknown): TokenColour | undefined {
  if (typeof value === 'string' && value.startsWith(scorePrefix)) return value as TokenColour;
  return tokenColours.find((colour) => colour === value);
}

/** Shade of one of some versions or turns, from the first one seen. */
export const shadeOfIndex = (index: number): number => distinctShades[index % distinctShades.length] ?? 0;

/** The versions of a path, in the order in which they sampled it. */
export function versionsOf({ versions }: Pick<TokenPath, 'versions'>): readonly number[] {
  return [...new Set(versions)].filter((version) => version >= 0);
}

/** How the tokens of a path are drawn. `mask` is 1 for what is trained; what is not is hatched. */
export function markTokens(path: TokenPath, colour: TokenColour, mask: Uint8Array): TokenMarks {
  const toShade = createShading(path, colour, mask);
  const shades = new Int8Array(path.count);
  for (let at = 0; at < path.count; at += 1) shades[at] = toShade(at);
  return { shades, hatched: mask.map((trained) => 1 - trained), control: path.control };
}

function createShading(path: TokenPath, colour: TokenColour, mask: Uint8Array): (at: number) => number {
  const scores = path.scores.get(scorerOf(colour) ?? '');
  const versions = new Map(versionsOf(path).map((version, index) => [version, shadeOfIndex(index)]));
  switch (colour) {
    case 'logprob':
      return (at) => shadeOfProbability(path.logprobs[at] ?? Number.NaN);
    case 'mask':
      return (at) => (mask[at] === 1 ? trainedShade : noShade);
    case 'version':
      return (at) => versions.get(path.versions[at] ?? noShade) ?? noShade;
    case 'turn':
      return (at) => shadeOfIndex(path.turns[at] ?? 0);
    case 'source':
      return (at) => [noShade, trainedShade, splicedShade][path.sources[at] ?? 0] ?? noShade;
    case 'entropy':
      return (at) => shadeOfAmount(path.entropies?.[at] ?? Number.NaN, entropySteps);
    default:
      return (at) =>
        shadeOfAmount(Math.abs((path.logprobs[at] ?? Number.NaN) - (scores?.[at] ?? Number.NaN)), differenceSteps);
  }
}
