import type { ModelFamily } from '../families/detect-family';

export interface JoinInput {
  readonly family: ModelFamily;
  /** What the template puts behind an answer, as `appendedText` found it. */
  readonly appended: string;
  /** Text of the last sampled token where it is a control token. */
  readonly lastControl: string | undefined;
}

export interface Join {
  /** What is still missing behind the sampled tokens. */
  readonly text: string;
  /** The last sampled token does not fit what comes next and must be left out. */
  readonly replacesLast: boolean;
}

/**
 * Joins new text to sampled tokens: a closer that the model sampled is not written a second time, one that it did not
 * sample (cut off by length or a stop text) is added, and so are a line end and whatever else no model ever samples.
 */
export function joinAnswer({ family, appended, lastControl }: JoinInput): Join {
  if (lastControl === undefined) return { text: appended, replacesLast: false };
  if (appended.startsWith(lastControl)) return { text: appended.slice(lastControl.length), replacesLast: false };
  if (!family.closers.includes(lastControl)) return { text: appended, replacesLast: false };
  if (family.closerOpensNextMessage) return { text: appended, replacesLast: true };
  const written = family.closers.find((closer) => appended.startsWith(closer)) ?? '';
  return { text: appended.slice(written.length), replacesLast: false };
}
