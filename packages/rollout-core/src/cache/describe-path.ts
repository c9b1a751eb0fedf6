import type { Interaction } from './interaction';
import { copyIds, pathSegments, sampledFrom, type PathSegment } from './path-tokens';

/** The origins of a path's tokens, as numbers in `PathDetail.sources`. */
export const tokenSources = { template: 0, sampled: 1, spliced: 2 } as const;

/** Everything that is known about each token of a path; all lists have its length. */
export interface PathDetail {
  readonly segments: readonly PathSegment[];
  readonly ids: Int32Array;
  /** NaN for what was not sampled. */
  readonly logprobs: Float32Array;
  /** -1 for what was not sampled. */
  readonly versions: Int32Array;
  /** `tokenSources`: rendered by the template, sampled by this call, or taken over from the answer of an earlier one. */
  readonly sources: Int32Array;
  /** `pathPosition` of the interaction that added the token. */
  readonly turns: Int32Array;
}

/** Describes the whole path of an interaction in new arrays. Linear in its length. */
export function describePath(interaction: Interaction): PathDetail {
  const length = interaction.pathTokens;
  const detail: PathDetail = {
    segments: pathSegments(interaction),
    ids: new Int32Array(length),
    logprobs: new Float32Array(length).fill(Number.NaN),
    versions: new Int32Array(length).fill(-1),
    sources: new Int32Array(length),
    turns: new Int32Array(length),
  };
  for (const segment of detail.segments) {
    const { interaction: owner, from, to } = segment;
    const start = sampledFrom(segment);
    copyIds(segment, detail.ids);
    detail.logprobs.set(owner.sampled.logprobs.subarray(0, to - start), start);
    detail.versions.set(owner.sampled.versions.subarray(0, to - start), start);
    detail.sources.fill(owner === interaction ? tokenSources.sampled : tokenSources.spliced, start, to);
    detail.turns.fill(owner.pathPosition, from, to);
  }
  return detail;
}
