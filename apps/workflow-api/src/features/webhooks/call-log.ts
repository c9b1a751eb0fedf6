import { isAppError } from '@weir/foundation';
import type { Clock, DagRun } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { SignedCall } from './verify-call';
import type { Webhook, WebhookRepository } from './webhook';
import { maskHeaders, type WebhookDelivery, type WebhookDeliveryRepository } from './webhook-delivery';

export interface WebhookCall extends SignedCall {
  readonly address: string;
}

export type StartedRun = Pick<DagRun, 'dagRunId' | 'dagName'>;

type Report = Pick<WebhookDelivery, 'isAuthentic' | 'body'> &
  Partial<Pick<WebhookDelivery, 'deliveryId' | 'replayKey' | 'redeliveryOf'>>;
type Outcome = Pick<WebhookDelivery, 'outcome'> & Partial<Pick<WebhookDelivery, 'reason' | 'message' | 'dagRunId'>>;

export interface CallLogPorts {
  readonly webhooks: Pick<WebhookRepository, 'noteUse'>;
  readonly webhookDeliveries: WebhookDeliveryRepository;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

/** Records the outcome of calls. */
export function createCallLog({ webhooks, webhookDeliveries, clock, random }: CallLogPorts) {
  const record = (webhook: Webhook, call: WebhookCall, report: Report & Outcome): Promise<void> =>
    webhookDeliveries.insert({
      reason: null,
      message: null,
      deliveryId: null,
      replayKey: null,
      dagRunId: null,
      redeliveryOf: null,
      id: random.uuid(),
      webhookId: webhook.id,
      receivedAt: clock.now(),
      headers: maskHeaders(call.headers),
      bytes: call.body.length,
      address: call.address,
      ...report,
    });
  return {
    recordStranger: (webhook: Webhook, call: WebhookCall, reason: string): Promise<void> =>
      record(webhook, call, { isAuthentic: false, body: null, outcome: 'refused', reason }),

    /** Records the start, or the reason why there was none. */
    async recordStart(
      webhook: Webhook,
      call: WebhookCall,
      report: Omit<Report, 'isAuthentic'>,
      start: () => Promise<StartedRun>,
    ): Promise<StartedRun> {
      const known = { ...report, isAuthentic: true };
      let run: StartedRun;
      try {
        run = await start();
      } catch (error) {
        await record(webhook, call, { ...known, replayKey: null, outcome: 'refused', ...refusalOf(error) });
        throw error;
      }
      await record(webhook, call, { ...known, outcome: 'started', dagRunId: run.dagRunId });
      await webhooks.noteUse(webhook.id, clock.now());
      return run;
    },
  };
}

export type CallLog = ReturnType<typeof createCallLog>;

function refusalOf(error: unknown): Pick<WebhookDelivery, 'reason' | 'message'> {
  if (!isAppError(error)) return { reason: 'internal', message: null };
  return { reason: error.reason ?? error.code, message: error.message.slice(0, 1000) };
}
