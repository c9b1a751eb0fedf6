import { isAppError } from '@weir/foundation';
import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import { createDagAccess } from '../dags';
import { type WebhookPorts, createReceiver } from './receive-call';
import type { Webhook } from './webhook';
import { webhookNotFound, webhookDeliveryNotFound } from './webhook-errors';
import { createWebhookSettings } from './webhook-settings';
import { createWebhookToken, tokenBytes } from './webhook-token';
import type { WebhookDelivery } from './webhook-delivery';

const defaultCallsPerMinute = 60;

export interface NewToken {
  readonly webhook: Webhook;
  readonly token: string;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** Serves the webhooks of DAGs. Every operation on one throws `dag_not_found` and `role_missing`. */
export function createWebhookService(dependencies: WebhookPorts) {
  const { webhooks, clock, random } = dependencies;
  const { findVisible, findEditable } = createDagAccess(dependencies);

  const find = async (fileName: string): Promise<Webhook> => {
    const webhook = await webhooks.find(fileName);
    if (webhook === undefined) throw webhookNotFound(fileName);
    return webhook;
  };

  return {
    async list(principal: Principal): Promise<readonly Webhook[]> {
      const visible: Webhook[] = [];
      for (const webhook of await webhooks.list())
        if (await isThere(() => findVisible(webhook.fileName, principal))) visible.push(webhook);
      return visible;
    },

    async get(fileName: string, principal: Principal): Promise<Webhook> {
      await findEditable(fileName, principal);
      return find(fileName);
    },

    /** Throws also `webhook_exists`. */
    async create(fileName: string, { principal, audit }: Requester): Promise<NewToken> {
      await findEditable(fileName, principal);
      const now = clock.now();
      const { token, ...stored } = createWebhookToken(random.bytes(tokenBytes));
      const webhook: Webhook = {
        fileName,
        id: random.uuid(),
        ...stored,
        isEnabled: true,
        createdAt: now,
        updatedAt: now,
        createdBy: principal.id,
        lastUsedAt: null,
        verification: null,
        secretRef: null,
        secretKeyId: null,
        secretText: null,
        paramsFilter: null,
        callsPerMinute: defaultCallsPerMinute,
      };
      await webhooks.insert(webhook, audit);
      return { webhook, token };
    },

    /** The following operations throw also `webhook_not_found`. */
    async regenerate(fileName: string, { principal, audit }: Requester): Promise<NewToken> {
      await findEditable(fileName, principal);
      const { token, ...stored } = createWebhookToken(random.bytes(tokenBytes));
      return { webhook: await webhooks.update(fileName, { ...stored, updatedAt: clock.now() }, audit), token };
    },

    async toggle(fileName: string, isEnabled: boolean, { principal, audit }: Requester): Promise<Webhook> {
      await findEditable(fileName, principal);
      return webhooks.update(fileName, { isEnabled, updatedAt: clock.now() }, audit);
    },

    async remove(fileName: string, { principal, audit }: Requester): Promise<void> {
      await findEditable(fileName, principal);
      if (!(await webhooks.remove(fileName, audit))) throw webhookNotFound(fileName);
    },

    ...createWebhookSettings(dependencies, find),
    ...createDeliveryOperations(dependencies, find),
  };
}

async function isThere(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (isAppError(error) && error.reason === 'dag_not_found') return false;
    throw error;
  }
}

/** Serves calls of webhooks: incoming and retained ones. `find` throws `webhook_not_found`. */
function createDeliveryOperations(ports: WebhookPorts, find: (fileName: string) => Promise<Webhook>) {
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
