import { Webhook } from 'standardwebhooks';
import { readMessage } from './event-payload';
import type { EventDelivery, Subscription, Target } from './subscription';

export interface EventRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates the request that posts deliveries: a message about all of them, or the one delivery of a webhook. */
export function eventRequest(
  kind: Exclude<Subscription['kind'], 'email'>,
  deliveries: readonly [EventDelivery, ...EventDelivery[]],
  { secret = '' }: Target,
  now: Date,
): EventRequest {
  if (kind !== 'webhook') {
    const { text } = readMessage(deliveries.map(({ payload }) => payload));
    return { body: JSON.stringify(messages[kind](text)), headers: {} };
  }
  const [{ id, payload }] = deliveries;
  return {
    body: payload,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, payload),
    },
  };
}

/** Names and errors must mention nobody and must not format the message. */
const messages: Readonly<Record<Exclude<Subscription['kind'], 'webhook' | 'email'>, (text: string) => object>> = {
  slack: (text) => ({ text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') }),
  discord: (text) => ({ content: text.slice(0, 2_000), allowed_mentions: { parse: [] } }),
  teams: (text) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          // One line break is a blank there.
          body: [{ type: 'TextBlock', text: text.replaceAll('\n', '\n\n'), wrap: true }],
        },
      },
    ],
  }),
};
