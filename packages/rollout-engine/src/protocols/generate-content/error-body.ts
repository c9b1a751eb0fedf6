import type { AppError, ErrorCode } from '@weir/foundation';
import { toHttpStatus } from '@weir/http-contract';

const statuses: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'INVALID_ARGUMENT',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'UNIMPLEMENTED',
  gone: 'FAILED_PRECONDITION',
  conflict: 'ABORTED',
  precondition_failed: 'FAILED_PRECONDITION',
  payload_too_large: 'INVALID_ARGUMENT',
  rate_limited: 'RESOURCE_EXHAUSTED',
  wait_timeout: 'DEADLINE_EXCEEDED',
  not_implemented: 'UNIMPLEMENTED',
  upstream_failed: 'UNAVAILABLE',
  upstream_timeout: 'DEADLINE_EXCEEDED',
  unavailable: 'UNAVAILABLE',
  internal: 'INTERNAL',
};

/** Clients of this protocol distinguish errors of one status by `details`. */
export function generateContentError(error: AppError, requestId: string) {
  const { code, message, reason, details } = error;
  const metadata = typeof details?.param === 'string' ? { param: details.param } : {};
  return {
    error: {
      code: toHttpStatus(code),
      message,
      status: statuses[code],
      details: [
        { '@type': `${types}ErrorInfo`, reason: reason ?? code, domain: 'weir', metadata },
        { '@type': `${types}RequestInfo`, requestId },
      ],
    },
  };
}

const types = 'type.googleapis.com/google.rpc.';
