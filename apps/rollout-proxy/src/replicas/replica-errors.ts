import { AppError } from '@weir/foundation';

export const replicaUnreachable = (cause?: unknown) =>
  new AppError('unavailable', 'Another replica that has a part in this cannot be reached; repeat the request.', {
    reason: 'replica_unreachable',
    details: { retryAfterSeconds: 1 },
    cause,
  });

export const markInvalid = () =>
  new AppError('forbidden', 'The request does not come from another replica.', { reason: 'replica_mark_invalid' });
