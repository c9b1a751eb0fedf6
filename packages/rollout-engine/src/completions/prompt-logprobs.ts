import type { PreparedPrompt } from '../prompt/prompt-builder';
import type { TokenCollector } from './token-collector';

/** The first token of a prompt that is new and can have a log-probability; `undefined` where there is none. */
export function scoredFrom({ ids, inherited }: PreparedPrompt): number | undefined {
  const from = Math.max(1, inherited);
  return from < ids.length ? from : undefined;
}

/**
 * The log-probabilities of the new tokens of a prompt, 0 for one that nothing precedes. `undefined` where the engine has
 * not reported them.
 */
export function keptLogprobs(
  { promptLogprobs }: Pick<TokenCollector, 'promptLogprobs'>,
  prompt: PreparedPrompt,
): Float32Array | undefined {
  const kept = new Float32Array(prompt.ids.length - prompt.inherited);
  const from = scoredFrom(prompt);
  if (from === undefined) return kept;
  // A later segment of the answer reports those of its longer prompt.
  const scored = promptLogprobs?.subarray(0, prompt.ids.length - from);
  if (scored?.length !== prompt.ids.length - from) return undefined;
  kept.set(scored, from - prompt.inherited);
  return kept;
}
