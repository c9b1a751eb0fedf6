import { AppError } from '@weir/foundation';

export const unreachable = 'The model cannot be reached, or the connection was lost.';

/** Describes an error of a provider's library; undefined for other errors. Never quotes the server. */
export function describeModelFailure(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? `The model refused this (status ${error.status}).` : unreachable;
}

export function noAnswerWithin(timeoutMs: number): string {
  return `There was no answer within ${timeoutMs / 1_000} seconds.`;
}

/** The request to a model has failed; the message names no setting. */
export function modelFailed(message: string, cause?: unknown): AppError {
  return new AppError('upstream_failed', message, { reason: 'model_failed', cause });
}
