import type { ErrorCode } from '@weir/foundation';

/** The one place where a failure gets a status. */
const statuses: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  wait_timeout: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  rate_limited: 429,
  not_implemented: 501,
  upstream_failed: 502,
  upstream_timeout: 504,
  unavailable: 503,
  internal: 500,
};

/** The status of an answer that reports a failure of this code. */
export function toHttpStatus(code: ErrorCode): number {
  return statuses[code];
}
