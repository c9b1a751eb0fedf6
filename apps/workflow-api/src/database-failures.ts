import { AppError } from '@weir/errors';
import { translatePrismaError } from '@weir/workflow-db';
import type { ErrorRequestHandler } from 'express';

/**
 * Failures that no repository gives a meaning to: the database is overloaded or away. The caller may try again, which
 * is not so for an internal error. Everything else is passed on unchanged.
 */
export function translateDatabaseFailures(): ErrorRequestHandler {
  return (error: unknown, _req, _res, next) => {
    next(unavailable(error) ?? error);
  };
}

function unavailable(error: unknown): AppError | undefined {
  switch (translatePrismaError(error)?.kind) {
    case 'busy':
    case 'write_conflict':
      return new AppError('unavailable', 'The database is busy. Try again.', { reason: 'database_busy', cause: error });
    case 'unreachable':
      return new AppError('unavailable', 'The database does not respond.', {
        reason: 'database_unreachable',
        cause: error,
      });
    default:
      return undefined;
  }
}
