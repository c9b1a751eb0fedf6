/** What is kept of a call besides its ids, log-probabilities and versions. */
export interface Recording {
  /** How many of the likeliest tokens are kept at each position; 0 for none. */
  readonly topLogprobs: number;
}

/** The largest value of `topLogprobs`: 8 bytes for each of them and each token. */
export const maxRecordedTop = 128;

export const recordsNothing: Recording = { topLogprobs: 0 };
