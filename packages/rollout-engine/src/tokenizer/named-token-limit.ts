import { AppError } from '@weir/foundation';

/**
 * Names of tokens in the strings of one prompt. Each is a piece that is encoded separately: without a limit, a string
 * of nothing else would occupy the event loop for seconds.
 */
export const maxNamedTokens = 65_536;

export const tooManyTokenNames = () =>
  new AppError('payload_too_large', `A conversation may hold ${maxNamedTokens} names of tokens.`, {
    reason: 'too_many_token_names',
  });
