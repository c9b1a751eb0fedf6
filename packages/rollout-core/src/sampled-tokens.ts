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
  readonly mask?: SamplingMask;
}

/** The tokens that cut-offs such as top-k and top-p left to sample each token from. */
export interface SamplingMask {
  /** How many for each token, from 1; 0 where nothing was cut off. */
  readonly lengths: Int32Array;
  /** One after the other. */
  readonly ids: Int32Array;
}

/**
 * The experts that the layers of a mixture of experts chose, for replay in training. A row is the choice for one token,
 * made when it was read: the last sampled token of a call has none before the next call reads it.
 */
export interface RoutedExperts {
  /** The position in the path of the token of the first row. */
  readonly from: number;
  readonly layers: number;
  /** Experts for each token and layer. */
  readonly perToken: number;
  /** Row-major `[rows, layers, perToken]`; -1 where the engine does not know. */
  readonly ids: Int16Array;
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
