import { AppError, causeChain, isAppError, isSystemError } from '@weir/foundation';
import { translatePrismaError } from '@weir/workflow-db';
import type { ErrorRequestHandler } from 'express';

/**
 * Translates failures that no repository handles: the database is overloaded or unreachable, or a disk is full.
 * Unlike after an internal error, the caller may try again. Everything else is passed on unchanged.
 */
export function translateDatabaseFailures(): ErrorRequestHandler {
  return (error: unknown, _req, _res, next) => {
    next(isAppError(error) ? error : (databaseFailure(error) ?? error));
  };
}

/** Returns `undefined` for any other failure. */
export function databaseFailure(error: unknown): AppError | undefined {
  if (causeChain(error).some((link) => isSystemError(link, 'ENOSPC', 'EDQUOT'))) return storageFull(error);
  switch (translatePrismaError(error)?.kind) {
    case 'busy':
    case 'write_conflict':
      return new AppError('unavailable', 'The database is busy. Try again.', { reason: 'database_busy', cause: error });
    case 'full':
      return storageFull(error);
    case 'unreachable':
      return new AppError('unavailable', 'The database does not respond.', {
        reason: 'database_unreachable',
        cause: error,
      });
    default:
      return undefined;
  }
}

function storageFull(cause: unknown): AppError {
  return new AppError('unavailable', 'The disk of the server is full. Try again when it has space.', {
    reason: 'storage_full',
    cause,
  });
}
