import type { ReadStoredSecret } from '@weir/workflow-engine';
import type { Clock } from '@weir/workflow-engine/model';
import type { Sealer } from '../../encryption';
import { createDagAccess, type DagAccessDependencies } from '../dags';
import type { CallLog, WebhookCall } from './call-log';
import { webhookCaller } from './start-from-payload';
import { verifyCall, type SignedCall, type VerifiedCall } from './verify-call';
import type { Webhook, WebhookRepository } from './webhook';
import { webhookTokenInvalid } from './webhook-errors';
import { readWebhookSecret } from './webhook-secret';
import { isTokenOf, readBearerToken } from './webhook-token';

export interface SenderPorts extends DagAccessDependencies {
  readonly webhooks: Pick<WebhookRepository, 'find'>;
  readonly sealer: Sealer;
  readonly readStoredSecret: ReadStoredSecret;
  readonly clock: Clock;
}

export interface Identified {
  readonly webhook: Webhook;
  /** Missing for a token. */
  readonly verified?: VerifiedCall;
}

/** Where there is no webhook, a token is compared with this digest, so that it takes as long. */
const noDigest = '0'.repeat(64);

/**
 * Returns the webhook whose sender has proved itself as its settings require, and in no weaker way. Throws
 * `webhook_token_invalid` for every kind of failed proof, and `webhook_secret_unreadable`.
 */
export async function identifySender(
  ports: SenderPorts,
  log: Pick<CallLog, 'recordStranger'>,
  fileName: string,
  call: WebhookCall,
): Promise<Identified> {
  const webhook = await ports.webhooks.find(fileName);
  const settings = webhook?.verification ?? { style: 'token' };
  if (webhook === undefined || settings.style === 'token') {
    const isRight = isTokenOf(webhook?.tokenDigest ?? noDigest, readBearerToken(bearerOf(call)));
    if (webhook !== undefined && isRight) return { webhook };
    if (webhook !== undefined) await log.recordStranger(webhook, call, 'token_wrong');
    throw webhookTokenInvalid();
  }
  const { dag } = await createDagAccess(ports).findVisible(fileName, webhookCaller);
  const secret = await readWebhookSecret(ports, webhook, dag.workspace);
  const verdict = verifyCall(settings.style, { settings, secret, call, now: ports.clock.now() });
  if (!('refusal' in verdict)) return { webhook, verified: verdict };
  await log.recordStranger(webhook, call, verdict.refusal);
  throw webhookTokenInvalid();
}

function bearerOf({ headers: { authorization } }: SignedCall): string | undefined {
  return typeof authorization === 'string' ? authorization : undefined;
}
