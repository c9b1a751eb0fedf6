import { z } from 'zod';
import { DagRunId } from '../run-inputs/identity';

const timestamp = z.iso.datetime({ offset: true });

/** Largest payload that steps get, in bytes: it becomes one variable, which Linux limits to 128 KiB. */
export const maxWebhookPayloadBytes = 100_000;
/** Largest body of a call, in bytes. One whose payload is larger than steps get needs a filter of parameters. */
export const maxWebhookBytes = 1_048_576;

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'must be the name of a header')
  .refine((name) => name.toLowerCase() !== 'authorization', 'must not be Authorization');

export const webhookStyles = ['token', 'github', 'gitlab', 'standard', 'stripe', 'hmac'] as const;

export const WebhookVerification = z
  .strictObject({
    style: z
      .enum(webhookStyles)
      .describe(
        'How a call proves who sent it. token: Authorization: Bearer and the token. github: X-Hub-Signature-256. gitlab: X-Gitlab-Token. standard: webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks, as GitLab sends them for a signing token. stripe: Stripe-Signature. hmac: a signature in a header that the other fields describe.',
      ),
    toleranceSeconds: z
      .int()
      .min(10)
      .max(3600)
      .optional()
      .describe('How far the time of a signature may be from now. Default 300. Only where the signature has a time.'),
    header: headerName.optional().describe('hmac: the header with the signature. Default X-Signature-256.'),
    prefix: z.string().max(50).optional().describe('hmac: what stands before the signature. Default "sha256=".'),
    algorithm: z.enum(['sha256', 'sha512']).optional().describe('hmac: the hash. Default sha256.'),
    encoding: z.enum(['hex', 'base64']).optional().describe('hmac: how the signature is written. Default hex.'),
    timestampHeader: headerName
      .optional()
      .describe('hmac: a header with the time in seconds; it and a dot are signed before the body. Default: none.'),
    deliveryHeader: headerName
      .optional()
      .describe('hmac: a header with an id; it and a dot are signed before time and body. Default: none.'),
  })
  .meta({ id: 'WebhookVerification', description: 'How calls of a webhook prove who sent them.' });
export type WebhookVerification = z.output<typeof WebhookVerification>;

const paramsFilter = z.string().min(1).max(10_000);
const secretRef = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,254}$/, 'must be the ref of a stored secret');
const callsPerMinute = z.int().min(1).max(6000);

export const WebhookDetails = z
  .object({
    id: z.string().describe('UUID.'),
    dagName: z.string().describe('Name of the file of the DAG, without its ending.'),
    tokenPrefix: z.string().describe('The first 12 characters of the token.'),
    enabled: z.boolean().describe('Whether the webhook starts runs.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
    createdBy: z.string().optional().describe('Id of the user who created it.'),
    lastUsedAt: timestamp.optional().describe('When it last started a run.'),
    verification: WebhookVerification,
    secretConfigured: z.boolean().describe('Whether there is a secret to check signatures with.'),
    secretRef: z.string().optional().describe('The stored secret that signatures are checked with.'),
    paramsFilter: z
      .string()
      .optional()
      .describe('A jq filter of the payload, with `$headers`; its object becomes parameters.'),
    callsPerMinute: z.int().describe('How many calls may start runs within a minute.'),
  })
  .meta({ id: 'WebhookDetails', description: 'The webhook of a DAG. Its token is returned only when it is made.' });
export type WebhookDetails = z.output<typeof WebhookDetails>;

export const WebhookCreateResponse = z
  .object({ webhook: WebhookDetails, token: z.string().describe('The token, returned only once.') })
  .meta({ id: 'WebhookCreateResponse', description: 'A webhook with its new token.' });

export const WebhookSettings = z
  .strictObject({
    verification: WebhookVerification,
    secretRef: secretRef
      .nullish()
      .describe(
        'A stored secret of the workspace of the DAG to check signatures with. Default: a secret of the webhook alone.',
      ),
    paramsFilter: paramsFilter
      .nullish()
      .describe(
        'A jq filter that makes an object of the payload, whose members become parameters; `$headers` are the headers by their names in lower case, without secrets. Default: none.',
      ),
    callsPerMinute: callsPerMinute.default(60).describe('How many calls may start runs within a minute. Default 60.'),
  })
  .meta({ id: 'WebhookSettings', description: 'All settings of a webhook; what is left out gets its default.' });
export type WebhookSettings = z.output<typeof WebhookSettings>;

export const WebhookSecretRequest = z
  .strictObject({
    secret: z
      .string()
      .min(16)
      .max(512)
      .optional()
      .describe('The secret that the sender has made, such as that of Stripe. Default: a new one, 256 random bits.'),
  })
  .meta({ id: 'WebhookSecretRequest', description: 'A new secret to check signatures with.' });

export const WebhookSecretResponse = z
  .object({
    webhook: WebhookDetails,
    secret: z.string().optional().describe('The secret that was made, returned only once.'),
  })
  .meta({ id: 'WebhookSecretResponse', description: 'A webhook, and the secret that was made for it.' });

export const webhookOutcomes = ['started', 'refused'] as const;

const deliveryFields = {
  id: z.string().describe('UUID.'),
  receivedAt: timestamp.describe('When it came.'),
  outcome: z.enum(webhookOutcomes).describe('Whether it started a run.'),
  reason: z.string().optional().describe('Why it was refused, such as "signature_wrong" or "delivery_repeated".'),
  message: z.string().optional().describe('The same for people.'),
  deliveryId: z.string().optional().describe('The id that the sender gave it.'),
  bytes: z.int().describe('Size of the body in bytes.'),
  address: z.string().describe('Address of the sender.'),
  dagRunId: z.string().optional().describe('The run that it started.'),
  redeliveryOf: z.string().optional().describe('Id of the delivery that a person has sent again.'),
  hasBody: z.boolean().describe('Whether the body is retained, so that it can be sent again.'),
};

export const WebhookDelivery = z
  .object(deliveryFields)
  .meta({ id: 'WebhookDelivery', description: 'A call of a webhook.' });

export const WebhookDeliveryDetails = z
  .object({
    ...deliveryFields,
    headers: z.record(z.string(), z.string()).describe('Its headers, with the values of secret ones masked.'),
    body: z.string().optional().describe('Its body. Only of calls whose sender was known, and of the newest 100.'),
  })
  .meta({ id: 'WebhookDeliveryDetails', description: 'A call of a webhook with its headers and body.' });

export const WebhookDeliveryListResponse = z
  .object({ deliveries: z.array(WebhookDelivery).describe('Newest first.') })
  .meta({ id: 'WebhookDeliveryListResponse', description: 'The newest calls of a webhook.' });

export const WebhookListResponse = z
  .object({ webhooks: z.array(WebhookDetails).describe('Those of visible DAGs, by the names of their files.') })
  .meta({ id: 'WebhookListResponse', description: 'The webhooks.' });

export const WebhookToggleRequest = z
  .object({ enabled: z.boolean().describe('Whether the webhook is to start runs.') })
  .meta({ id: 'WebhookToggleRequest', description: 'Switches a webhook on or off.' });

export const WebhookRequest = z
  .looseObject({
    dagRunId: DagRunId.optional(),
    payload: z.record(z.string(), z.unknown()).optional().describe('The payload. Default: the whole body.'),
  })
  .meta({ id: 'WebhookRequest', description: 'What a webhook is called with: any JSON object.' });
export type WebhookRequest = z.output<typeof WebhookRequest>;

export const WebhookResponse = z
  .object({ dagRunId: DagRunId, dagName: z.string().describe('Name of the DAG.') })
  .meta({ id: 'WebhookResponse', description: 'The run that was queued.' });
