import type { TokenPiece } from '../engine/inference-engine';
import type { Tokenizer } from '../tokenizer/tokenizer';
import type { TokenLogprob } from './completion';

/** The tokens of a piece as protocols show them; those that end an answer are not shown. */
export function toTokenLogprobs(
  { tokens: { ids, logprobs }, top }: TokenPiece,
  tokenizer: Tokenizer,
  endIds: ReadonlySet<number>,
): readonly TokenLogprob[] {
  const entries: TokenLogprob[] = [];
  for (const [at, id] of ids.entries()) {
    if (endIds.has(id)) continue;
    const choices = (top?.[at] ?? []).map((choice) => ({ ...choice, ...decodeBytes(tokenizer, choice.id) }));
    entries.push({ id, logprob: logprobs[at] ?? 0, ...decodeBytes(tokenizer, id), top: choices });
  }
  return entries;
}

function decodeBytes(tokenizer: Tokenizer, id: number) {
  const bytes = tokenizer.tokenBytes(id);
  // A token may be a part of a character; its bytes are told beside it.
  return { bytes, text: new TextDecoder().decode(bytes) };
}
