import { AppError } from '@weir/errors';

export function webhookNotFound(fileName: string): AppError {
  return new AppError('not_found', `The DAG "${fileName}" has no webhook.`, { reason: 'webhook_not_found' });
}

export function webhookExists(fileName: string): AppError {
  return new AppError('conflict', `The DAG "${fileName}" has a webhook.`, { reason: 'webhook_exists' });
}

/** The same for a DAG without a webhook, so that strangers do not learn which there are. */
export function webhookTokenInvalid(): AppError {
  return new AppError('unauthenticated', 'The token is not that of a webhook of this DAG.', {
    reason: 'webhook_token_invalid',
  });
}

export function webhookDisabled(): AppError {
  return new AppError('forbidden', 'The webhook is switched off.', { reason: 'webhook_disabled' });
}
