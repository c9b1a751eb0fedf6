import { AppError } from '@weir/foundation';

export function webhookNotFound(fileName: string): AppError {
  return new AppError('not_found', `The DAG "${fileName}" has no webhook.`, { reason: 'webhook_not_found' });
}

export function webhookExists(fileName: string): AppError {
  return new AppError('conflict', `The DAG "${fileName}" has a webhook.`, { reason: 'webhook_exists' });
}

/** The error is the same for a DAG without a webhook, so that strangers do not learn which webhooks exist. */
export function webhookTokenInvalid(): AppError {
  return new AppError('unauthenticated', 'The token or signature is not that of a webhook of this DAG.', {
    reason: 'webhook_token_invalid',
  });
}

export function webhookDisabled(): AppError {
  return new AppError('forbidden', 'The webhook is switched off.', { reason: 'webhook_disabled' });
}

export function webhookDeliveryNotFound(id: string): AppError {
  return new AppError('not_found', `The webhook has no delivery "${id}".`, { reason: 'webhook_delivery_not_found' });
}

export function webhookDeliveryRepeated(): AppError {
  return new AppError('conflict', 'This delivery has started a run already.', { reason: 'webhook_delivery_repeated' });
}

export function webhookProfileUnsigned(): AppError {
  return new AppError('forbidden', 'The proof of this webhook does not cover the header that names a profile.', {
    reason: 'webhook_profile_unsigned',
  });
}

export function webhookBodyGone(): AppError {
  return new AppError('conflict', 'The body of this delivery is not retained.', { reason: 'webhook_body_gone' });
}

export function webhookRateLimited(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', 'The webhook was called too often within a minute.', {
    reason: 'webhook_rate_limited',
    details: { retryAfterSeconds },
  });
}

export function webhookPayloadTooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The payload is larger than ${maxBytes} bytes and there is no filter.`, {
    reason: 'webhook_payload_too_large',
  });
}

export function webhookFilterFailed(problem: string): AppError {
  return new AppError('invalid_request', `The filter makes no parameters of the payload: ${problem}.`, {
    reason: 'webhook_filter_failed',
  });
}

export function webhookSecretUnreadable(problem: string): AppError {
  return new AppError('unavailable', `The secret of the webhook cannot be read: ${problem}.`, {
    reason: 'webhook_secret_unreadable',
  });
}
