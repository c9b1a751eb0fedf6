import type { TokenPiece } from '../engine/inference-engine';
import type { Tokenizer } from '../tokenizer/tokenizer';
import type { ShownToken } from './turn';

/** The tokens of a piece as protocols show them; those that end an answer are not shown. */
export function shownTokens(
  { tokens: { ids, logprobs }, top }: TokenPiece,
  tokenizer: Tokenizer,
  endIds: ReadonlySet<number>,
): readonly ShownToken[] {
  const shown: ShownToken[] = [];
  for (const [at, id] of ids.entries()) {
    if (endIds.has(id)) continue;
    const choices = (top?.[at] ?? []).map((choice) => ({ ...choice, ...textOf(tokenizer, choice.id) }));
    shown.push({ id, logprob: logprobs[at] ?? 0, ...textOf(tokenizer, id), top: choices });
  }
  return shown;
}

function textOf(tokenizer: Tokenizer, id: number) {
  const bytes = tokenizer.bytesOf(id);
  // A token may be a part of a character; its bytes are told beside it.
  return { bytes, text: new TextDecoder().decode(bytes) };
}
