import { AppError } from '@weir/foundation';

export function rangeEmpty(): AppError {
  return new AppError('invalid_request', '"from" must not be after "to".', { reason: 'range_empty' });
}

export function rangeNotPast(): AppError {
  return new AppError(
    'invalid_request',
    '"to" must be at least five minutes ago: later occurrences are those of the scheduler.',
    { reason: 'range_not_past' },
  );
}

export function noOccurrences(): AppError {
  return new AppError('invalid_request', 'The start schedule of the DAG has no occurrence in this range.', {
    reason: 'no_occurrences',
  });
}

export function tooManyOccurrences(max: number): AppError {
  return new AppError('invalid_request', `The range has more than ${max} occurrences.`, {
    reason: 'too_many_occurrences',
    details: { maxOccurrences: max },
  });
}

export function backfillActive(dagName: string): AppError {
  return new AppError('conflict', `A backfill of the DAG "${dagName}" is active.`, { reason: 'backfill_active' });
}

export function backfillEnded(id: string): AppError {
  return new AppError('conflict', `The backfill "${id}" has ended.`, { reason: 'backfill_ended' });
}

export function backfillNotFound(id: string): AppError {
  return new AppError('not_found', `The DAG has no backfill "${id}".`, { reason: 'backfill_not_found' });
}
