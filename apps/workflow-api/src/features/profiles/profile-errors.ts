import { AppError } from '@weir/foundation';

export function profileNotFound(name: string): AppError {
  return new AppError('not_found', `There is no profile "${name}".`, { reason: 'profile_not_found' });
}

export function entryNotFound(key: string): AppError {
  return new AppError('not_found', `There is no variable or secret "${key}".`, { reason: 'profile_entry_not_found' });
}

export function profileNameTaken(name: string): AppError {
  return new AppError('conflict', `There is a profile "${name}" already.`, { reason: 'profile_name_taken' });
}

/** For a choice, where the profile is no resource of the request. */
export function profileUnknown(name: string): AppError {
  return new AppError('invalid_request', `There is no profile "${name}".`, { reason: 'profile_unknown' });
}

export function profileDisabled(name: string): AppError {
  return new AppError('invalid_request', `The profile "${name}" is disabled.`, { reason: 'profile_disabled' });
}

export function profileProtected(name: string): AppError {
  return new AppError('forbidden', `The profile "${name}" is protected: only administrators may name it.`, {
    reason: 'profile_protected',
  });
}

export function profileLimit(what: string): AppError {
  return new AppError('invalid_request', `There may be ${what} at most.`, { reason: 'profile_limit' });
}

export function profileKeyReserved(key: string): AppError {
  return new AppError('invalid_request', `The variable "${key}" is set by the server and cannot be set by a profile.`, {
    reason: 'profile_key_reserved',
  });
}

export function profileValueUnusable(rule: string): AppError {
  return new AppError('invalid_request', `The value ${rule}.`, { reason: 'profile_value_unusable' });
}
