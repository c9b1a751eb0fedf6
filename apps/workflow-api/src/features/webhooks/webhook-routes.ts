import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentWebhook } from './webhook';
import { presentDelivery } from './webhook-delivery';
import type { NewToken, WebhookService } from './webhook-service';
import type { NewSecret } from './webhook-settings';

export function bindWebhookRoutes(bind: Bind, webhooks: WebhookService): void {
  bind(workflowContract.listWebhooks, async ({ principal }) => {
    return { webhooks: (await webhooks.list(principal)).map(presentWebhook) };
  });

  bind(workflowContract.getDagWebhook, async ({ input: { params }, principal }) => {
    return presentWebhook(await webhooks.get(params.fileName, principal));
  });

  bind(workflowContract.createDagWebhook, async ({ input: { params }, principal, audit }) => {
    return presentNewToken(await webhooks.create(params.fileName, { principal, audit }));
  });

  bind(workflowContract.deleteDagWebhook, async ({ input: { params }, principal, audit }) => {
    await webhooks.remove(params.fileName, { principal, audit });
  });

  bind(workflowContract.regenerateDagWebhookToken, async ({ input: { params }, principal, audit }) => {
    return presentNewToken(await webhooks.regenerate(params.fileName, { principal, audit }));
  });

  bind(workflowContract.toggleDagWebhook, async ({ input: { params, body }, principal, audit }) => {
    return presentWebhook(await webhooks.toggle(params.fileName, body.enabled, { principal, audit }));
  });

  bind(workflowContract.configureDagWebhook, async ({ input: { params, body }, principal, audit }) => {
    return presentNewSecret(await webhooks.configure(params.fileName, body, { principal, audit }));
  });

  bind(workflowContract.replaceDagWebhookSecret, async ({ input: { params, body }, principal, audit }) => {
    return presentNewSecret(await webhooks.replaceSecret(params.fileName, body.secret, { principal, audit }));
  });

  bind(workflowContract.triggerWebhook, async ({ input, audit, headers, getRawBody, clientAddress }) => {
    const { params, body } = input;
    const call = { headers, body: getRawBody(), json: body, address: clientAddress };
    const { dagRunId, dagName } = await webhooks.receive(params.fileName, call, audit);
    return { dagRunId, dagName };
  });

  bindDeliveryRoutes(bind, webhooks);
}

function bindDeliveryRoutes(bind: Bind, webhooks: WebhookService): void {
  bind(workflowContract.listDagWebhookDeliveries, async ({ input: { params, query }, principal }) => {
    const deliveries = await webhooks.listDeliveries(params.fileName, query.limit, principal);
    return { deliveries: deliveries.map(presentDelivery) };
  });

  bind(workflowContract.getDagWebhookDelivery, async ({ input: { params }, principal }) => {
    const delivery = await webhooks.getDelivery(params.fileName, params.deliveryId, principal);
    const { headers, body } = delivery;
    return { ...presentDelivery(delivery), headers: { ...headers }, ...(body === null ? {} : { body }) };
  });

  bind(workflowContract.redeliverDagWebhookDelivery, async ({ input: { params }, principal, audit }) => {
    const { dagRunId, dagName } = await webhooks.redeliver(params.fileName, params.deliveryId, { principal, audit });
    return { dagRunId, dagName };
  });
}

const presentNewSecret = ({ webhook, secret }: NewSecret) => ({
  webhook: presentWebhook(webhook),
  ...(secret === undefined ? {} : { secret }),
});

const presentNewToken = ({ webhook, token }: NewToken) => ({ webhook: presentWebhook(webhook), token });
