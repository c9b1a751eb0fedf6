import { AppError } from '@weir/foundation';
import type { Message } from '@weir/rollout-core';
import type { Tokenizer } from '../tokenizer/tokenizer';

/**
 * The token ids of a prompt that no template renders. Names of control tokens in a text stand for these tokens, and none
 * is added. Rejects with `invalid_request` (reason `request_invalid`) for no token or one that the model does not have.
 */
export async function readRawPrompt(prompt: string | Int32Array, tokenizer: Tokenizer): Promise<Int32Array> {
  const ids = typeof prompt === 'string' ? await tokenizer.encode(prompt, { control: true }) : prompt;
  if (ids.length === 0) throw invalid('prompt', 'must not be empty.');
  const size = tokenizer.vocabularySize;
  const wrong = ids.findIndex((id) => id < 0 || id >= size);
  if (wrong >= 0) throw invalid(`prompt[${wrong}]`, `must be the id of a token, at most ${size - 1}.`);
  return ids;
}

/** What people and searches see of raw tokens; none for no tokens. */
export function describeTokens(ids: Int32Array, tokenizer: Tokenizer): readonly Message[] {
  if (ids.length === 0) return [];
  const decoder = tokenizer.createDecoder({ showsControl: () => true });
  return [{ role: 'user', content: decoder.push(ids) + decoder.end() }];
}

function invalid(param: string, sentence: string): AppError {
  return new AppError('invalid_request', `${param}: ${sentence}`, { reason: 'request_invalid', details: { param } });
}
