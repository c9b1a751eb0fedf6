import type { ModelFamily } from '../families/detect-family';

export interface JoinInput {
  readonly family: ModelFamily;
  /** The text that the template renders after an answer, from `appendedText`. */
  readonly appended: string;
  /** Text of the last sampled token where it is a control token. */
  readonly lastControl: string | undefined;
}

export interface Join {
  /** The text that is missing after the sampled tokens. */
  readonly text: string;
  /** The last sampled token does not agree with the next message and must be omitted. */
  readonly replacesLast: boolean;
}

/**
 * Joins new text to sampled tokens: a closer that the model sampled is not repeated; one that it did not sample (cut
 * off by length or a stop string) is added, together with all other text that models do not sample, such as a line end.
 */
export function joinAnswer({ family, appended: rendered, lastControl }: JoinInput): Join {
  if (lastControl === undefined) return { text: rendered, replacesLast: false };
  // A model that sampled the closer has sampled what comes before it as well.
  const isEnded = family.closers.includes(lastControl) && rendered.startsWith(family.answerEnd);
  const appended = isEnded ? rendered.slice(family.answerEnd.length) : rendered;
  if (appended.startsWith(lastControl)) return { text: appended.slice(lastControl.length), replacesLast: false };
  if (!family.closers.includes(lastControl)) return { text: appended, replacesLast: false };
  if (family.closerOpensNextMessage) return { text: appended, replacesLast: true };
  const written = family.closers.find((closer) => appended.startsWith(closer)) ?? '';
  return { text: appended.slice(written.length), replacesLast: false };
}
