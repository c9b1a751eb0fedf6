import { causeChain, isAppError } from '@weir/foundation';

/** Describes an error for a person, in one line and without a stack. */
export function errorText(error: unknown): string {
  if (isAppError(error)) return error.message;
  return causeChain(error)
    .map((cause) => (cause instanceof Error ? cause.message : String(cause)))
    .join(': ');
}
