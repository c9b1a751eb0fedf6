/**
 * The ways in which an operation can fail, from the view of its caller. A new code needs a decision record, a new
 * `reason` of an {@link AppError} does not. Codes are independent of the transport; each edge maps them to its own
 * statuses.
 */
export const errorCodes = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'gone',
  'precondition_failed',
  'payload_too_large',
  'rate_limited',
  'wait_timeout',
  'not_implemented',
  'upstream_failed',
  'upstream_timeout',
  'unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];
