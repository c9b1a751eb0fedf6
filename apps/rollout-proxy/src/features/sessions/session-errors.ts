import { AppError } from '@weir/foundation';

export const sessionEnded = () =>
  new AppError('conflict', 'The session has ended.', { reason: 'session_ended', details: { shouldRetry: false } });

export const sessionNotFound = () =>
  new AppError('not_found', 'There is no such session.', { reason: 'session_not_found' });

export const sessionKeyInUse = () =>
  new AppError('conflict', 'The key belongs to a session that has not ended.', { reason: 'session_key_in_use' });

export const sessionsExhausted = () =>
  new AppError('rate_limited', 'The maximum number of sessions is reached; export some.', {
    reason: 'sessions_exhausted',
    details: { retryAfterSeconds: 5 },
  });

/** Clients that repeat the request find the process that owns the session by then. */
export const sessionMoved = () =>
  new AppError('unavailable', 'The session is moving to another replica; repeat the request.', {
    reason: 'session_moved',
    details: { retryAfterSeconds: 1 },
  });

export const noInteractions = () =>
  new AppError('invalid_request', 'No model call of the session is completed yet.', { reason: 'no_interactions' });

export const interactionNotFound = () =>
  new AppError('invalid_request', 'There is no completed interaction of this id in the session.', {
    reason: 'interaction_not_found',
  });

export const rewardInvalid = () =>
  new AppError('invalid_request', 'The reward is not a number that is finite as a 32-bit float.', {
    reason: 'reward_invalid',
  });

/** A code that clients do not retry: the session stays full. */
export const sessionFull = (what: string, reason: string) =>
  new AppError('invalid_request', `The session has reached its maximum number of ${what}.`, { reason });

export const memoryFull = () =>
  new AppError('rate_limited', 'All sessions together have reached their maximum size; export some.', {
    reason: 'bytes_exhausted',
    details: { retryAfterSeconds: 5 },
  });
