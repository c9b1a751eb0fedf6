import { AppError } from '@weir/foundation';

export function calendarNotFound(name: string): AppError {
  return new AppError('not_found', `There is no calendar "${name}".`, { reason: 'calendar_not_found' });
}

export function includeUnknown(name: string): AppError {
  return new AppError('invalid_request', `The included calendar "${name}" does not exist.`, {
    reason: 'calendar_include_unknown',
  });
}

export function includeCircle(names: readonly string[]): AppError {
  return new AppError('invalid_request', `Calendars must not include each other: ${names.join(' > ')}.`, {
    reason: 'calendar_include_circle',
  });
}

export function calendarLimit(limit: number): AppError {
  return new AppError('invalid_request', `There may be ${limit} calendars at most.`, { reason: 'calendar_limit' });
}

export function calendarInUse(name: string, by: readonly string[]): AppError {
  return new AppError('conflict', `The calendar "${name}" is included by: ${by.join(', ')}.`, {
    reason: 'calendar_in_use',
  });
}

export function iCalendarInvalid(problem: string): AppError {
  return new AppError('invalid_request', `The iCalendar file ${problem}.`, { reason: 'icalendar_invalid' });
}
