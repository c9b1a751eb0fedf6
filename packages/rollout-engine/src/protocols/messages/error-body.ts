import type { AppError, ErrorCode } from '@weir/foundation';

const types: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  not_found: 'not_found_error',
  method_not_allowed: 'invalid_request_error',
  gone: 'not_found_error',
  conflict: 'invalid_request_error',
  precondition_failed: 'invalid_request_error',
  payload_too_large: 'request_too_large',
  rate_limited: 'rate_limit_error',
  wait_timeout: 'timeout_error',
  not_implemented: 'invalid_request_error',
  upstream_failed: 'api_error',
  upstream_timeout: 'timeout_error',
  unavailable: 'overloaded_error',
  internal: 'api_error',
};

/** Clients of this protocol distinguish errors of one type by `details`. */
export function messagesError(error: AppError, requestId: string) {
  const { code, message, reason, details } = error;
  const unsupported = details?.unsupported;
  const telling = {
    error_code: reason ?? code,
    ...(typeof details?.param === 'string' ? { param: details.param } : {}),
    ...(Array.isArray(unsupported) ? { unsupported: unsupported.map(String) } : {}),
  };
  return { type: 'error', error: { type: types[code], message, details: telling }, request_id: requestId };
}
