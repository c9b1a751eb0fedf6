import { createStopMatcher } from '@weir/rollout-core';
import type { Tokenizer } from '../tokenizer/tokenizer';

export interface CutAnswer {
  readonly ids: Int32Array;
  /** Text that the answer shows. */
  readonly content: string;
  readonly stop: readonly string[];
  /** Control tokens that have a text. */
  readonly markerIds: ReadonlySet<number>;
}

/**
 * Text of an answer's tokens after the visible part: the stop string that ended it, and the rest of its last token.
 * `undefined` if the tokens end with a control token, or their text does not end with both.
 */
export function findCutText({ ids, content, stop, markerIds }: CutAnswer, tokenizer: Tokenizer): string | undefined {
  const last = ids.at(-1) ?? -1;
  if (tokenizer.isControl(last) || tokenizer.endIds.includes(last)) return undefined;
  const decoder = tokenizer.createDecoder({ showsControl: (id) => markerIds.has(id) });
  const whole = decoder.push(ids) + decoder.end();
  const { text, stop: found } = createStopMatcher(stop).push(whole);
  return found !== undefined && text.endsWith(content) ? whole.slice(text.length) : undefined;
}
