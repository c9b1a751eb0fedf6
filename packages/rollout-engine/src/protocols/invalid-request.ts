import { AppError } from '@weir/foundation';

/** A request that the protocol's original service would reject too. `param` is the path of the field: `messages[2].role`. */
export function invalidRequest(param: string, sentence: string, reason = 'request_invalid'): AppError {
  return new AppError('invalid_request', `${param}: ${sentence}`, { reason, details: { param } });
}

/** A valid request that this service cannot fulfil: it is rejected instead of ignored. */
export function notSupported(param: string, sentence = 'is not supported here.'): AppError {
  return invalidRequest(param, sentence, 'parameter_not_supported');
}
