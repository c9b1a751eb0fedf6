/** What is kept of a call besides its ids, log-probabilities and versions. */
export interface Recording {
  /** How many of the likeliest tokens are kept at each position; 0 for none. */
  readonly topLogprobs: number;
  /** Whether the log-probabilities of the new tokens of its prompt are kept. */
  readonly promptLogprobs: boolean;
  /** Whether the tokens that cut-offs left to sample from are kept. */
  readonly samplingMask: boolean;
  /** Whether the experts that a mixture of experts chose are kept. */
  readonly routedExperts: boolean;
}

/** How many layers of the model choose experts, and how many for each token. */
export interface ExpertShape {
  readonly layers: number;
  readonly perToken: number;
}

/** The largest value of `topLogprobs`: 8 bytes for each of them and each token. */
export const maxRecordedTop = 128;

export const recordsNothing: Recording = {
  topLogprobs: 0,
  promptLogprobs: false,
  samplingMask: false,
  routedExperts: false,
};
