import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import { createDagAccess } from '../dags';
import { createReceiver, type WebhookPorts } from './receive-call';
import type { Webhook } from './webhook';
import type { WebhookDelivery } from './webhook-delivery';
import { webhookDeliveryNotFound } from './webhook-errors';

/** Serves calls of webhooks: incoming and retained ones. `find` throws `webhook_not_found`. */
export function createDeliveryOperations(ports: WebhookPorts, find: (fileName: string) => Promise<Webhook>) {
  const { webhookDeliveries } = ports;
  const { findEditable } = createDagAccess(ports);
  const receiver = createReceiver(ports);
  const findDelivery = async ({ id: webhookId }: Webhook, id: string): Promise<WebhookDelivery> => {
    const delivery = await webhookDeliveries.find(webhookId, id);
    if (delivery === undefined) throw webhookDeliveryNotFound(id);
    return delivery;
  };
  return {
    receive: receiver.receive,

    async listDeliveries(fileName: string, limit: number, principal: Principal) {
      await findEditable(fileName, principal);
      return webhookDeliveries.list((await find(fileName)).id, limit);
    },

    async getDelivery(fileName: string, id: string, principal: Principal) {
      await findEditable(fileName, principal);
      return findDelivery(await find(fileName), id);
    },

    /** Starts another run from a retained delivery. */
    async redeliver(fileName: string, id: string, requester: Requester) {
      await findEditable(fileName, requester.principal);
      const webhook = await find(fileName);
      return receiver.repeat(webhook, await findDelivery(webhook, id), requester);
    },
  };
}
