import { AppError } from '@weir/foundation';
import { describeFailure } from '../failure-reason';

export const workerTokenTaken = (name: string): AppError =>
  new AppError('conflict', `The PostgreSQL server already has a role ${JSON.stringify(name)}.`, {
    reason: 'worker_token_taken',
  });

export const workerTokenNotFound = (name: string): AppError =>
  new AppError('not_found', `There is no worker token ${JSON.stringify(name)}.`, { reason: 'worker_token_not_found' });

export const workerTokenNeedsOwner = (): AppError =>
  new AppError(
    'invalid_request',
    'Worker tokens are made by the PostgreSQL role that owns the tables of Weir, which servers and schedulers must use, too.',
    { reason: 'worker_token_needs_owner' },
  );

export const workerTokenRefused = (cause: unknown): AppError =>
  new AppError(
    'invalid_request',
    `PostgreSQL refused: ${describeFailure(cause)}. The role of WEIR_DATABASE_URL needs the right to create roles: ALTER ROLE … CREATEROLE.`,
    { reason: 'worker_token_refused', cause },
  );
