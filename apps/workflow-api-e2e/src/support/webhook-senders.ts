import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';

export type Headers = Readonly<Record<string, string>>;

/** As signatures hold the time. */
export const secondsNow = () => Math.floor(Date.now() / 1000);

/** Requests as each service signs them; by its own library where there is one for CommonJS. */
export const senders = {
  github: (body: string, secret: string): Promise<Headers> =>
    Promise.resolve({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      'x-github-event': 'push',
    }),
  gitlab: (_: string, secret: string): Promise<Headers> =>
    Promise.resolve({ 'x-gitlab-token': secret, 'idempotency-key': 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f' }),
  standard: (body: string, secret: string, at = secondsNow()): Promise<Headers> =>
    Promise.resolve({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(at),
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(at * 1000), body),
    }),
  stripe: (payload: string, secret: string, timestamp = secondsNow()): Promise<Headers> =>
    Promise.resolve({
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    }),
  hmac: (body: string, secret: string, at = secondsNow()): Promise<Headers> =>
    Promise.resolve({
      'x-sent': String(at),
      'x-mac': `v2:${createHmac('sha512', secret).update(`${at}.${body}`).digest('base64')}`,
    }),
};
