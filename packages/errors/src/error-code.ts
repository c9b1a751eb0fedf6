/**
 * Every way an operation can fail, seen from its caller. The list is closed: a new code needs an ADR, a new
 * `reason` on an {@link AppError} does not. Codes carry no transport; each edge maps them to its own statuses.
 */
export const errorCodes = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'payload_too_large',
  'rate_limited',
  'not_implemented',
  'upstream_failed',
  'upstream_timeout',
  'unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];
