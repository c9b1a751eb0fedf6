import { AppError } from '@weir/foundation';

type Thing = 'model' | 'soul';

export function settingNotFound(thing: Thing, id: string): AppError {
  return new AppError('not_found', `There is no ${thing} with the id "${id}".`, {
    reason: `agent_${thing}_not_found`,
  });
}

/** A setting names another one that does not exist. */
export function settingUnknown(thing: Thing, id: string): AppError {
  return new AppError('invalid_request', `There is no ${thing} with the id "${id}".`, {
    reason: `agent_${thing}_unknown`,
  });
}

export function settingTaken(thing: Thing, field: 'id' | 'name', value: string): AppError {
  return new AppError('conflict', `Another ${thing} has the ${field} "${value}".`, {
    reason: `agent_${thing}_${field}_taken`,
  });
}

export function settingBlank(field: string): AppError {
  return new AppError('invalid_request', `The ${field} must not be blank.`, { reason: 'agent_setting_blank' });
}

export function providerUnknown(id: string): AppError {
  return new AppError('invalid_request', `No provider "${id}" is configured.`, { reason: 'agent_provider_unknown' });
}

/** The login is unknown, was begun for another provider or by another person, was used before, or is too old. */
export function loginExpired(): AppError {
  return new AppError('invalid_request', 'This login is unknown, was used already or has expired. Begin again.', {
    reason: 'agent_login_expired',
  });
}

/** The answer of the provider is not valid. */
export function loginRefused(cause: unknown): AppError {
  return new AppError('invalid_request', 'The provider refused the login, or its answer belongs to another one.', {
    reason: 'agent_login_refused',
    cause,
  });
}
