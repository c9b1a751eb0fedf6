import { isAppError } from '@weir/foundation';
import type { SendMail } from '@weir/workflow-engine';
import type { Clock } from '@weir/workflow-engine/model';
import type { Sealer } from '../../encryption';
import { readFields, readMessage } from './event-payload';
import { guardedPost, type PostResult } from './guarded-post';
import { eventRequest } from './render-event';
import { targetSealContext, type EventDelivery, type Subscription, type Target } from './subscription';
import type { EventMailServer } from '../../config/event-target-config';

export interface SendPorts {
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly eventNetworks: readonly string[];
  readonly mailServer?: EventMailServer | undefined;
  readonly sendMail: SendMail;
}

/** Sends deliveries once, as one message. Never rejects because of the receiver. */
export async function sendDeliveries(
  ports: SendPorts,
  subscription: Subscription,
  deliveries: readonly [EventDelivery, ...EventDelivery[]],
  signal: AbortSignal,
): Promise<PostResult> {
  const { sealer, clock, eventNetworks } = ports;
  const target = JSON.parse(await sealer.open(subscription, targetSealContext(subscription.id))) as Target;
  if (subscription.kind === 'email') return sendEventMail(ports, target.to ?? '', deliveries, signal);
  const { body, headers } = eventRequest(subscription.kind, deliveries, target, clock.now());
  return guardedPost(target.url ?? '', body, headers, { allowedNetworks: eventNetworks });
}

async function sendEventMail(
  { mailServer, sendMail }: SendPorts,
  to: string,
  deliveries: readonly [EventDelivery, ...EventDelivery[]],
  signal: AbortSignal,
): Promise<PostResult> {
  if (mailServer === undefined) return { problem: 'this server has no mail server: WEIR_SMTP_HOST is not set' };
  const { from, host, port, username, password } = mailServer;
  const account = username === undefined || password === undefined ? {} : { username, password: password.reveal() };
  const [{ id }] = deliveries;
  const payloads = deliveries.map(({ payload }) => payload);
  const { subject, text: message } = readMessage(payloads);
  const text = `${[message, ...payloads.map(readFields)].join('\n\n')}\n`;
  try {
    await sendMail({ host, port, ...account }, { id, from, to: [to], subject, text }, signal);
    return {};
  } catch (error) {
    if (isAppError(error)) return { problem: error.message };
    throw error;
  }
}
