import type { Webhook } from '../features/webhooks/webhook';

/** One that is verified by its token. */
export function aWebhook(values: Partial<Webhook> = {}): Webhook {
  const at = new Date('2026-05-06T07:00:00.000Z');
  return {
    fileName: 'nightly',
    id: 'w',
    tokenPrefix: 'p',
    tokenDigest: 'd',
    isEnabled: true,
    createdBy: 'ada',
    createdAt: at,
    updatedAt: at,
    lastUsedAt: null,
    verification: null,
    secretRef: null,
    secretKeyId: null,
    secretText: null,
    paramsFilter: null,
    callsPerMinute: 60,
    ...values,
  };
}
