import { AppError, isAppError } from '@weir/foundation';

const leaseLostReason = 'run_lost';

/** Thrown when a write is refused because the lease has expired and another worker has claimed the run. */
export function leaseLost(): AppError {
  return new AppError('conflict', 'The run belongs to another worker now.', { reason: leaseLostReason });
}

export function isLeaseLost(error: unknown): boolean {
  return isAppError(error) && error.reason === leaseLostReason;
}

/** Whether the run could not be stored or read. The step has not failed by it: the next owner of the run resumes it. */
export function isStoreFailure(error: unknown): boolean {
  return !isAppError(error) || isLeaseLost(error);
}
