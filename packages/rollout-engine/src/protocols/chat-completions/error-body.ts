import type { AppError, ErrorCode } from '@weir/foundation';

const types: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  not_found: 'not_found_error',
  method_not_allowed: 'invalid_request_error',
  gone: 'conflict_error',
  conflict: 'conflict_error',
  precondition_failed: 'conflict_error',
  payload_too_large: 'invalid_request_error',
  rate_limited: 'rate_limit_error',
  wait_timeout: 'server_error',
  not_implemented: 'invalid_request_error',
  upstream_failed: 'server_error',
  upstream_timeout: 'server_error',
  unavailable: 'server_error',
  internal: 'server_error',
};

/** The error object that the chat-completions and the responses protocol share. */
export function openAiError(error: AppError): Readonly<Record<string, unknown>> {
  const param = error.details?.param;
  return {
    message: error.message,
    type: types[error.code],
    param: typeof param === 'string' ? param : null,
    code: error.reason ?? error.code,
  };
}
