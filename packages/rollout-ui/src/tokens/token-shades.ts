import type { TokenMarks } from '@weir/ui-kit';
import type { TokenPath } from '../api/read-tokens';

/** What the colour of a token says. */
export const tokenColours = ['logprob', 'mask', 'version', 'turn', 'source'] as const;
export type TokenColour = (typeof tokenColours)[number];

/** The least probabilities of the shades 0 to 6; below the last one it is shade 7. */
export const probabilitySteps: readonly number[] = [0.99, 0.95, 0.9, 0.75, 0.5, 0.25, 0.1];
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
  }
}
