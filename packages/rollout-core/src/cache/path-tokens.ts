import type { Interaction } from './interaction';

/** A part of a token path that belongs to one interaction. */
export interface PathSegment {
  readonly interaction: Interaction;
  /** Positions in the path, half open. `to` is at most the end of the interaction's own path. */
  readonly from: number;
  readonly to: number;
}

/** The segments of an interaction's path, in order; together they are its `pathTokens`. Linear in their number. */
export function pathSegments(interaction: Interaction): readonly PathSegment[] {
  const segments: PathSegment[] = [];
  let current: Interaction | undefined = interaction;
  let to = interaction.pathTokens;
  while (current !== undefined && to > 0) {
    // A child may branch off in the middle of its parent's tokens, even before the parent's own ones.
    if (to > current.inheritedTokens) segments.push({ interaction: current, from: current.inheritedTokens, to });
    to = Math.min(to, current.inheritedTokens);
    current = current.parent;
  }
  return segments.reverse();
}

/** Whether a segment contains everything that its interaction sampled. */
export const isWhole = ({ interaction, to }: PathSegment): boolean => to === interaction.pathTokens;

/** Where the sampled tokens of a segment begin in the path; `to` if it has none. */
export const sampledFrom = ({ interaction, to }: PathSegment): number =>
  Math.min(to, interaction.inheritedTokens + interaction.contextIds.length);

/** The whole path of an interaction as a new array: inherited, context and sampled ids. Linear in its length. */
export function collectPathIds(interaction: Interaction): Int32Array {
  const ids = new Int32Array(interaction.pathTokens);
  for (const segment of pathSegments(interaction)) copyIds(segment, ids);
  return ids;
}

/** Holds 1 for each token of the path that any call sampled. The time is linear in the length. */
export function buildSampledMask(interaction: Interaction): Uint8Array {
  const mask = new Uint8Array(interaction.pathTokens);
  for (const segment of pathSegments(interaction)) mask.fill(1, sampledFrom(segment), segment.to);
  return mask;
}

/** Copies the ids of a segment to their positions in an array for the path. */
export function copyIds(segment: PathSegment, ids: Int32Array): void {
  const { from, to, interaction } = segment;
  const sampled = sampledFrom(segment);
  ids.set(interaction.contextIds.subarray(0, sampled - from), from);
  ids.set(interaction.sampled.ids.subarray(0, to - sampled), sampled);
}
