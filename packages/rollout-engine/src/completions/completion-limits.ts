import { AppError } from '@weir/foundation';

export interface CompletionLimits {
  /** Tokens of an answer without a limit in the request. */
  readonly defaultNewTokens: number;
  /** Upper bound of the limit in a request. */
  readonly maxNewTokens: number;
  /** Sampled tokens of a whole session. */
  readonly maxSessionTokens: number;
}

export interface TokenBudget {
  readonly promptTokens: number;
  readonly contextLength: number;
  readonly sessionTokens: number;
  readonly requested: number | undefined;
}

/**
 * How many tokens an answer may have: the requested number, limited by the context, the completion and the session.
 * Throws `invalid_request` if not even one token fits.
 */
export function limitNewTokens(budget: TokenBudget, limits: CompletionLimits): number {
  const inContext = budget.contextLength - budget.promptTokens;
  if (inContext < 1) {
    throw new AppError(
      'invalid_request',
      `The conversation has ${budget.promptTokens} tokens, and the model takes ${budget.contextLength} with the answer.`,
      { reason: 'context_length_exceeded', details: { param: 'messages' } },
    );
  }
  const inSession = limits.maxSessionTokens - budget.sessionTokens;
  if (inSession < 1) {
    throw new AppError('invalid_request', `The session has sampled all of its ${limits.maxSessionTokens} tokens.`, {
      reason: 'session_tokens_spent',
    });
  }
  return Math.min(budget.requested ?? limits.defaultNewTokens, limits.maxNewTokens, inContext, inSession);
}
