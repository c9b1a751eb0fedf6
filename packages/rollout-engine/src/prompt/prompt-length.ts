import { AppError } from '@weir/foundation';

/**
 * Characters for each token of the context. Prose has 4 to 5; only long runs of spaces and rulers have more than this.
 * The native encoder holds a thread for seconds with text that is longer than any context.
 */
const charactersPerToken = 16;

const subjects = { messages: 'The new messages have', tools: 'Tools and template arguments have' } as const;

/** Throws `payload_too_large` for text that no context of that many tokens can hold, before it is encoded. */
export function assertPromptLength(text: string, contextTokens: number, param: keyof typeof subjects): void {
  const limit = contextTokens * charactersPerToken;
  if (text.length <= limit) return;
  throw new AppError(
    'payload_too_large',
    `${subjects[param]} ${text.length} characters, and ${limit} are the most for a context of ${contextTokens} tokens.`,
    { reason: 'context_length_exceeded', details: { param } },
  );
}
