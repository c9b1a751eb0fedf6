import { isAppError } from '@weir/errors';
import type { WebhookRequest } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine';
import type { RandomSource } from '../../adapters/random-source';
import { createLoginThrottle, type Principal } from '../auth';
import type { StartRun } from '../dag-runs';
import { createDagReach, type DagReachDependencies } from '../dags';
import type { Webhook, WebhookRepository } from './webhook';
import { webhookDisabled, webhookNotFound, webhookTokenInvalid } from './webhook-errors';
import { createWebhookToken, isTokenOf, tokenBytes } from './webhook-token';

export interface WebhookServiceDependencies extends DagReachDependencies {
  readonly webhooks: WebhookRepository;
  readonly startRun: StartRun;
  readonly clock: Clock;
  readonly random: RandomSource;
}

export interface NewToken {
  readonly webhook: Webhook;
  readonly token: string;
}

export interface WebhookCall {
  readonly token: string;
  readonly body: WebhookRequest;
  readonly address: string;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** May run every DAG: whoever has the token of a webhook may run the one that it is for. */
const caller: Principal = {
  ...{ kind: 'anonymous', id: '', name: 'webhook', role: 'operator' },
  workspaceAccess: { all: true, grants: [] },
};
/** What a token is compared with where there is no webhook, so that it takes as long. */
const noDigest = '0'.repeat(64);

/** The webhooks of DAGs. Every operation on one throws `dag_not_found` and `role_missing`. */
export function createWebhookService(dependencies: WebhookServiceDependencies) {
  const { webhooks, clock, random } = dependencies;
  const { visibleFile, writtenFile } = createDagReach(dependencies);
  const throttle = createLoginThrottle();

  const find = async (fileName: string): Promise<Webhook> => {
    const webhook = await webhooks.find(fileName);
    if (webhook === undefined) throw webhookNotFound(fileName);
    return webhook;
  };

  return {
    async list(principal: Principal): Promise<readonly Webhook[]> {
      const visible: Webhook[] = [];
      for (const webhook of await webhooks.list())
        if (await isThere(() => visibleFile(webhook.fileName, principal))) visible.push(webhook);
      return visible;
    },

    async get(fileName: string, principal: Principal): Promise<Webhook> {
      await writtenFile(fileName, principal);
      return find(fileName);
    },

    /** Throws also `webhook_exists`. */
    async create(fileName: string, principal: Principal): Promise<NewToken> {
      await writtenFile(fileName, principal);
      const now = clock.now();
      const { token, ...stored } = createWebhookToken(random.bytes(tokenBytes));
      const webhook: Webhook = {
        ...{ fileName, id: random.uuid(), ...stored, isEnabled: true },
        ...{ createdAt: now, updatedAt: now, createdBy: principal.id, lastUsedAt: null },
      };
      await webhooks.insert(webhook);
      return { webhook, token };
    },

    /** These throw also `webhook_not_found`. */
    async regenerate(fileName: string, principal: Principal): Promise<NewToken> {
      await writtenFile(fileName, principal);
      const { token, ...stored } = createWebhookToken(random.bytes(tokenBytes));
      return { webhook: await webhooks.update(fileName, { ...stored, updatedAt: clock.now() }), token };
    },

    async toggle(fileName: string, isEnabled: boolean, principal: Principal): Promise<Webhook> {
      await writtenFile(fileName, principal);
      return webhooks.update(fileName, { isEnabled, updatedAt: clock.now() });
    },

    async remove(fileName: string, principal: Principal): Promise<void> {
      await writtenFile(fileName, principal);
      if (!(await webhooks.remove(fileName))) throw webhookNotFound(fileName);
    },

    /** Queues a run. Throws `webhook_token_invalid`, `webhook_disabled`, `too_many_attempts` and what a start throws. */
    async trigger(fileName: string, { token, body, address }: WebhookCall) {
      const webhook = await throttle.guard(fileName, address, async () => {
        const found = await webhooks.find(fileName);
        if (!isTokenOf(found?.tokenDigest ?? noDigest, token) || found === undefined) throw webhookTokenInvalid();
        return found;
      });
      if (!webhook.isEnabled) throw webhookDisabled();
      return startFromWebhook(dependencies, webhook, body);
    },
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

async function startFromWebhook(dependencies: WebhookServiceDependencies, webhook: Webhook, body: WebhookRequest) {
  const { webhooks, startRun, clock } = dependencies;
  const source = await createDagReach(dependencies).runnableFile(webhook.fileName, caller);
  const { dagRunId, payload = body } = body;
  const run = await startRun(source, {
    dagRunId,
    // As a variable of steps, and never as a part of a command.
    params: JSON.stringify({ WEBHOOK_PAYLOAD: JSON.stringify(payload) }),
    triggerType: 'webhook',
    startedBy: { kind: 'webhook', id: webhook.id, name: webhook.fileName },
  });
  await webhooks.noteUse(webhook.id, clock.now());
  return run;
}
