import { AppError } from '@weir/errors';

export const sessionEnded = () =>
  new AppError('conflict', 'The session has ended.', { reason: 'session_ended', details: { shouldRetry: false } });

export const sessionNotFound = () =>
  new AppError('not_found', 'There is no such session.', { reason: 'session_not_found' });

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

/** Of a kind that clients do not repeat by themselves: it will not get better. */
export const sessionFull = (what: string, reason: string) =>
  new AppError('invalid_request', `The session has all the ${what} that it may have.`, { reason });

export const memoryFull = () =>
  new AppError('rate_limited', 'The sessions together hold as much as they may; export and acknowledge some.', {
    reason: 'bytes_exhausted',
    details: { retryAfterSeconds: 5 },
  });
