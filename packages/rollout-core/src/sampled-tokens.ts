/** Tokens as the engine sampled them: three arrays of equal length. The only stored form of sampled tokens. */
export interface SampledTokens {
  /** Token ids, from 0. */
  readonly ids: Int32Array;
  /** Natural logarithm of the probability of each token when it was sampled; finite, at most 0. */
  readonly logprobs: Float32Array;
  /** Version of the weights that sampled each token, from 0. */
  readonly versions: Int32Array;
  /** Where they were recorded. */
  readonly top?: TopTokens;
}

/** The likeliest tokens at the position of each token, likeliest first. Row-major, `count` entries for each token. */
export interface TopTokens {
  /** Entries for each token, from 1. */
  readonly count: number;
  /** -1 where there are fewer. */
  readonly ids: Int32Array;
  /** Natural logarithms of their probabilities; -9999 where the id is -1. */
  readonly logprobs: Float32Array;
}
