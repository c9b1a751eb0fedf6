import { AppError, isAppError } from './app-error';

const maxDepth = 16;

/** Converts a thrown value to an `Error`; an `Error` is not changed. */
export function toError(value: unknown): Error {
  if (value instanceof Error) return value;
  return new Error(typeof value === 'string' ? value : 'A value that is not an error was thrown.', { cause: value });
}

/** The error and its causes, outermost first. At most 16 links, so a cause that leads back to itself ends. */
export function causeChain(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  let current = error;
  while (current !== undefined && chain.length < maxDepth) {
    chain.push(current);
    current = current instanceof Error ? current.cause : undefined;
  }
  return chain;
}

/**
 * An `AppError` is not changed; anything else becomes `internal` with the caught value as cause. The original message is
 * not copied, because it was not written for callers.
 */
export function toAppError(value: unknown): AppError {
  if (isAppError(value)) return value;
  return new AppError('internal', 'An internal error occurred.', { cause: value });
}
