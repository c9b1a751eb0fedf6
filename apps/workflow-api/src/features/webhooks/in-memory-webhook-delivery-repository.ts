import { retainedDeliveries, type WebhookDelivery, type WebhookDeliveryRepository } from './webhook-delivery';

/** Creates a repository for specs. */
export function createInMemoryWebhookDeliveryRepository(): WebhookDeliveryRepository {
  let rows: readonly WebhookDelivery[] = [];
  const of = (webhookId: string) => rows.filter((row) => row.webhookId === webhookId);
  return {
    insert: (delivery) => {
      rows = [delivery, ...rows].slice(0, retainedDeliveries.authentic);
      return Promise.resolve();
    },
    list: (webhookId, limit) => Promise.resolve(of(webhookId).slice(0, limit)),
    find: (webhookId, id) => Promise.resolve(of(webhookId).find((row) => row.id === id)),
    hasStarted: (webhookId, replayKey) => Promise.resolve(of(webhookId).some((row) => row.replayKey === replayKey)),
    countStarted: (webhookId, since) =>
      Promise.resolve(of(webhookId).filter((row) => row.outcome === 'started' && row.receivedAt >= since).length),
  };
}
