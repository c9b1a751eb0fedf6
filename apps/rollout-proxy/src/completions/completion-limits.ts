import { AppError } from '@weir/errors';

export interface CompletionLimits {
  /** Tokens of an answer whose caller names no limit. */
  readonly defaultNewTokens: number;
  /** Largest answer, whatever its caller asks for. */
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
 * How many tokens an answer may have: what was asked for, cut to what the context, the turn and the session have room
 * for. Throws `invalid_request` where there is no room for a single one.
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
