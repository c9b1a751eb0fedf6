import type { TokenPiece } from '../engine/port/inference-engine';
import type { Tokenizer } from '../tokenizer/tokenizer';
import type { TokenLogprob } from './completion';

interface LogprobContext {
  readonly tokenizer: Tokenizer;
  /** Tokens that end an answer. */
  readonly endIds: ReadonlySet<number>;
}

/**
 * The tokens of a piece as protocols report them, without those that end an answer, each with at most `count` of the
 * likeliest ones.
 */
export function toTokenLogprobs(
  { tokens: { ids, logprobs }, top }: TokenPiece,
  count: number,
  { tokenizer, endIds }: LogprobContext,
): readonly TokenLogprob[] {
  const entries: TokenLogprob[] = [];
  for (const [at, id] of ids.entries()) {
    if (endIds.has(id)) continue;
    const choices = (top?.[at] ?? [])
      .slice(0, count)
      .map((choice) => ({ ...choice, ...decodeBytes(tokenizer, choice.id) }));
    entries.push({ id, logprob: logprobs[at] ?? 0, ...decodeBytes(tokenizer, id), top: choices });
  }
  return entries;
}

function decodeBytes(tokenizer: Tokenizer, id: number) {
  const bytes = tokenizer.tokenBytes(id);
  // A token may be part of a character, so its bytes are reported as well.
  return { bytes, text: new TextDecoder().decode(bytes) };
}
