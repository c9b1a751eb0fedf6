import { createHash } from 'node:crypto';
import type { Clock } from '@weir/workflow-engine/model';
import type { AuditedOperation, Requester } from '../../access/audited-operation';
import type { RandomSource } from '../../adapters/random-source';
import { createLoginThrottle } from '../../access/login-throttle';
import { toRunActor } from '../runs';
import { createCallLog, type CallLogPorts, type StartedRun, type WebhookCall } from './call-log';
import { identifySender, type SenderPorts } from './identify-sender';
import { readEnvelope, startFromPayload, startOnce, type PayloadStartPorts } from './start-from-payload';
import type { VerifiedCall } from './verify-call';
import type { Webhook, WebhookRepository } from './webhook';
import { withoutMasked, type WebhookDelivery, type WebhookDeliveryRepository } from './webhook-delivery';
import { webhookBodyGone, webhookDisabled, webhookRateLimited } from './webhook-errors';

type ReceiverPorts = CallLimitPorts & CallLogPorts & SenderPorts & PayloadStartPorts;

/** Everything that webhooks need. */
export type WebhookPorts = ReceiverPorts & { readonly webhooks: WebhookRepository; readonly random: RandomSource };

const maxDeliveryId = 200;
/** Calls of an address that has sent too many wrong ones already. */
const unlogged = { recordStranger: () => Promise.resolve() };

/** Starts runs for calls of webhooks. */
export function createReceiver(ports: ReceiverPorts) {
  const throttle = createLoginThrottle();
  const log = createCallLog(ports);
  const withinLimit = createCallLimit(ports);
  return {
    /**
     * Queues a run. Throws `webhook_token_invalid`, `webhook_disabled`, `webhook_rate_limited`,
     * `webhook_delivery_repeated`, `webhook_filter_failed`, `webhook_payload_too_large`, `webhook_secret_unreadable`,
     * `too_many_attempts` and the errors of a start.
     */
    receive: async (fileName: string, call: WebhookCall, audit: AuditedOperation): Promise<StartedRun> => {
      const { webhook, verified } = await throttle.count(fileName, call.address, (isOver) =>
        identifySender(ports, isOver ? unlogged : log, fileName, call),
      );
      const deliveryId = verified?.deliveryId?.slice(0, maxDeliveryId) ?? null;
      const replayKey = hashKey(verified);
      return log.recordStart(webhook, call, { body: JSON.stringify(call.json), deliveryId, replayKey }, () => {
        if (!webhook.isEnabled) throw webhookDisabled();
        return withinLimit(webhook, () => startOnce(ports, webhook, { ...call, replayKey, audit }));
      });
    },

    /** Starts a run from a retained call. Throws also `webhook_body_gone`. */
    repeat: async (
      webhook: Webhook,
      delivery: WebhookDelivery,
      { principal, audit }: Requester,
    ): Promise<StartedRun> => {
      const { body, headers, address, deliveryId, id } = delivery;
      if (body === null) throw webhookBodyGone();
      const json = JSON.parse(body) as Readonly<Record<string, unknown>>;
      const call = { headers, address, json, body: Buffer.from(body) };
      return log.recordStart(webhook, call, { body, deliveryId, redeliveryOf: id }, () => {
        const { payload } = readEnvelope(webhook, json);
        return startFromPayload(ports, webhook, {
          payload,
          headers: withoutMasked(headers),
          startedBy: toRunActor(principal),
          audit,
        });
      });
    },
  };
}

function hashKey(verified: VerifiedCall | undefined): string | null {
  return verified === undefined ? null : createHash('sha256').update(verified.replayKey).digest('hex');
}

const minuteMs = 60_000;

interface CallLimitPorts {
  readonly webhookDeliveries: Pick<WebhookDeliveryRepository, 'countStarted'>;
  readonly clock: Clock;
}

/** Limits how many calls of a webhook start runs within a minute; starts in progress in this process count. */
function createCallLimit({ webhookDeliveries, clock }: CallLimitPorts) {
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
