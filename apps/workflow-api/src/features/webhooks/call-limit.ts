import type { Clock } from '@weir/workflow-engine';
import type { Webhook } from './webhook';
import type { WebhookDeliveryRepository } from './webhook-delivery';
import { webhookRateLimited } from './webhook-errors';

const minuteMs = 60_000;

export interface CallLimitPorts {
  readonly webhookDeliveries: Pick<WebhookDeliveryRepository, 'countStarted'>;
  readonly clock: Clock;
}

/** Limits how many calls of a webhook start runs within a minute; starts in progress in this process count. */
export function createCallLimit({ webhookDeliveries, clock }: CallLimitPorts) {
  const pending = new Map<string, number>();
  /** Throws `webhook_rate_limited`. */
  return async <T>({ id, callsPerMinute }: Webhook, start: () => Promise<T>): Promise<T> => {
    const others = pending.get(id) ?? 0;
    pending.set(id, others + 1);
    try {
      const started = await webhookDeliveries.countStarted(id, new Date(clock.now().getTime() - minuteMs));
      if (started + others >= callsPerMinute) throw webhookRateLimited(minuteMs / 1000);
      return await start();
    } finally {
      const left = (pending.get(id) ?? 1) - 1;
      if (left === 0) pending.delete(id);
      else pending.set(id, left);
    }
  };
}
