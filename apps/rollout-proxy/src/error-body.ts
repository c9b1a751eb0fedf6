import type { AppError } from '@weir/foundation';
import type { ErrorResponse } from '@weir/rollout-contract';

/** The error body of control operations. The model protocols have their own. */
export function renderError(error: AppError, requestId: string): ErrorResponse {
  return {
    detail: error.message,
    message: error.message,
    code: error.code,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(requestId === '' ? {} : { requestId }),
  };
}
