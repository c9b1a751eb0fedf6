import type { AppError, ErrorCode } from '@weir/foundation';
import type { ErrorResponse, ErrorCode as WireCode } from '@weir/workflow-contract/schemas';

/** The error codes that clients of this API know. */
const wireCodes: Record<ErrorCode, WireCode> = {
  invalid_request: 'bad_request',
  unauthenticated: 'unauthorized',
  forbidden: 'forbidden',
  not_found: 'not_found',
  method_not_allowed: 'bad_request',
  conflict: 'already_exists',
  gone: 'not_found',
  precondition_failed: 'conflict',
  payload_too_large: 'payload_too_large',
  rate_limited: 'rate_limited',
  wait_timeout: 'timeout',
  not_implemented: 'internal_error',
  upstream_failed: 'bad_gateway',
  upstream_timeout: 'timeout',
  unavailable: 'internal_error',
  internal: 'internal_error',
};

export function renderError(error: AppError, requestId: string): ErrorResponse {
  return {
    code: wireCodes[error.code],
    message: error.message,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.details === undefined ? {} : { details: error.details }),
    // Clients read these fields here, beside the code.
    ...pickTexts(error.details, ['dagRunId', 'itemId', 'remoteCommit', 'remoteAuthor', 'remoteMessage']),
    ...(requestId === '' ? {} : { requestId }),
  };
}

function pickTexts<Name extends string>(
  details: AppError['details'],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => (typeof details?.[name] === 'string' ? [[name, details[name]]] : []));
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}
