import { z } from 'zod';
import { DagRunId } from '../dag-runs/schemas';

const timestamp = z.iso.datetime({ offset: true });

/** Largest body that starts a run, in bytes: its payload becomes one variable, which Linux limits to 128 KiB. */
export const maxWebhookBytes = 100_000;

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
  })
  .meta({ id: 'WebhookDetails', description: 'The webhook of a DAG. Its token is returned only when it is made.' });
export type WebhookDetails = z.output<typeof WebhookDetails>;

export const WebhookCreateResponse = z
  .object({ webhook: WebhookDetails, token: z.string().describe('The token, returned only once.') })
  .meta({ id: 'WebhookCreateResponse', description: 'A webhook with its new token.' });

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
