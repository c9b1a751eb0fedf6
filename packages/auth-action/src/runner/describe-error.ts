import { systemErrorCode } from '@weir/foundation';

/** The system error code, or the message of an error without one. */
export function describeError(error: unknown): string {
  return systemErrorCode(error) ?? describeMessage(error);
}

export function describeMessage(error: unknown): string {
  const { message } = Object(error) as { readonly message?: unknown };
  return String(message);
}
