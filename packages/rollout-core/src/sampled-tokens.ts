/** Tokens as the engine sampled them: three arrays of equal length. The only stored form of sampled tokens. */
export interface SampledTokens {
  /** Token ids, from 0. */
  readonly ids: Int32Array;
  /** Natural logarithm of the probability of each token when it was sampled; finite, at most 0. */
  readonly logprobs: Float32Array;
  /** Version of the weights that sampled each token, from 0. */
  readonly versions: Int32Array;
}
