import type { SampledTokens } from '@weir/rollout-core';

/** Collects the pieces of an answer. Nothing is copied before the end. */
export interface TokenCollector {
  readonly count: number;
  add(tokens: SampledTokens): void;
  /** `corrected`, where given, replaces the versions of the pieces. */
  toSampledTokens(corrected: Int32Array | undefined): SampledTokens;
}

export function createTokenCollector(): TokenCollector {
  const pieces: SampledTokens[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    add: (tokens) => {
      pieces.push(tokens);
      count += tokens.ids.length;
    },
    toSampledTokens: (corrected) => {
      const [only] = pieces;
      if (only !== undefined && pieces.length === 1)
        return { ...only, versions: corrected?.slice(0, count) ?? only.versions };
      const ids = new Int32Array(count);
      const logprobs = new Float32Array(count);
      const versions = new Int32Array(count);
      let at = 0;
      for (const piece of pieces) {
        ids.set(piece.ids, at);
        logprobs.set(piece.logprobs, at);
        versions.set(piece.versions, at);
        at += piece.ids.length;
      }
      return { ids, logprobs, versions: corrected?.slice(0, count) ?? versions };
    },
  };
}
