import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';
import { presentWebhook } from './webhook';
import type { NewToken, WebhookService } from './webhook-service';
import { readBearerToken } from './webhook-token';

export function bindWebhookRoutes(bind: Bind, webhooks: WebhookService): void {
  bind(workflowContract.listWebhooks, async ({ input: { query }, principal }) => {
    assertLocalNode(query);
    return { webhooks: (await webhooks.list(principal)).map(presentWebhook) };
  });

  bind(workflowContract.getDagWebhook, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return presentWebhook(await webhooks.get(params.fileName, principal));
  });

  bind(workflowContract.createDagWebhook, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return presentNewToken(await webhooks.create(params.fileName, principal));
  });

  bind(workflowContract.deleteDagWebhook, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    await webhooks.remove(params.fileName, principal);
  });

  bind(workflowContract.regenerateDagWebhookToken, async ({ input: { params, query }, principal }) => {
    assertLocalNode(query);
    return presentNewToken(await webhooks.regenerate(params.fileName, principal));
  });

  bind(workflowContract.toggleDagWebhook, async ({ input: { params, query, body }, principal }) => {
    assertLocalNode(query);
    return presentWebhook(await webhooks.toggle(params.fileName, body.enabled, principal));
  });

  bind(workflowContract.triggerWebhook, async ({ input: { params, query, body }, getHeader, clientAddress }) => {
    assertLocalNode(query);
    const token = readBearerToken(getHeader('authorization'));
    const { dagRunId, dagName } = await webhooks.trigger(params.fileName, { token, body, address: clientAddress });
    return { dagRunId, dagName };
  });
}

const presentNewToken = ({ webhook, token }: NewToken) => ({ webhook: presentWebhook(webhook), token });
