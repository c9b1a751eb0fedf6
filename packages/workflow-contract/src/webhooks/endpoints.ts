import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode, remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import {
  maxWebhookBytes,
  maxWebhookPayloadBytes,
  WebhookCreateResponse,
  WebhookDetails,
  WebhookListResponse,
  WebhookRequest,
  WebhookResponse,
  WebhookSecretRequest,
  WebhookSecretResponse,
  WebhookSettings,
  WebhookToggleRequest,
} from './schemas';
import { DagName } from '../run-inputs/identity';

const tag = 'webhooks';
const access = rolesFrom('developer');
const params = z.object({ fileName: DagName });
const query = z.object({ remoteNode });
const path = '/dags/{fileName}/webhook';

const invalid = {
  description: 'The request is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const { unauthenticated, parserBusy } = errorAnswers;
const forbidden = {
  description: 'The role does not permit this operation, or not in the workspace of the DAG.',
  reasons: ['role_missing'],
} as const;
const dagMissing = { description: 'There is no such DAG, or it is not visible.', reasons: ['dag_not_found'] } as const;
const webhookMissing = {
  description: 'There is no such DAG, it is not visible, or it has no webhook.',
  reasons: ['dag_not_found', 'webhook_not_found'],
} as const;
const errors = { 400: invalid, 401: unauthenticated, 403: forbidden, 404: webhookMissing, 503: parserBusy } as const;

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/webhooks',
  operationId: 'listWebhooks',
  tag,
  summary: 'List the webhooks',
  access,
  query,
  success: { status: 200, description: 'The webhooks.', schema: WebhookListResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden },
});

export const getDagWebhook = endpoint({
  method: 'GET',
  path,
  operationId: 'getDAGWebhook',
  tag,
  summary: 'Get the webhook of a DAG',
  access,
  params,
  query,
  success: { status: 200, description: 'The webhook.', schema: WebhookDetails },
  errors,
});

export const createDagWebhook = endpoint({
  method: 'POST',
  path,
  operationId: 'createDAGWebhook',
  audit: { category: 'webhook', action: 'webhook_create' },
  tag,
  summary: 'Create the webhook of a DAG',
  description: 'The token is returned only in this response.',
  access,
  params,
  query,
  success: { status: 201, description: 'The new webhook.', schema: WebhookCreateResponse },
  errors: {
    ...errors,
    404: dagMissing,
    409: { description: 'The DAG has a webhook.', reasons: ['webhook_exists'] },
  },
});

export const deleteDagWebhook = endpoint({
  method: 'DELETE',
  path,
  operationId: 'deleteDAGWebhook',
  audit: { category: 'webhook', action: 'webhook_delete' },
  tag,
  summary: 'Delete the webhook of a DAG',
  description: 'Its token becomes invalid at once.',
  access,
  params,
  query,
  success: { status: 204, description: 'The webhook was deleted.' },
  errors,
});

export const regenerateDagWebhookToken = endpoint({
  method: 'POST',
  path: `${path}/regenerate`,
  operationId: 'regenerateDAGWebhookToken',
  audit: { category: 'webhook', action: 'webhook_token_regenerate' },
  tag,
  summary: 'Replace the token of a webhook',
  description: 'The former token becomes invalid at once.',
  access,
  params,
  query,
  success: { status: 200, description: 'The webhook with its new token.', schema: WebhookCreateResponse },
  errors,
});

export const toggleDagWebhook = endpoint({
  method: 'POST',
  path: `${path}/toggle`,
  operationId: 'toggleDAGWebhook',
  audit: { category: 'webhook', action: 'webhook_toggle' },
  tag,
  summary: 'Switch a webhook on or off',
  access,
  params,
  query,
  body: WebhookToggleRequest,
  success: { status: 200, description: 'The webhook.', schema: WebhookDetails },
  errors,
});

export const configureDagWebhook = endpoint({
  method: 'PUT',
  path: `${path}/settings`,
  operationId: 'configureDAGWebhook',
  audit: { category: 'webhook', action: 'webhook_configure' },
  tag,
  summary: 'Set how a webhook checks and maps its calls',
  description:
    'A style with signatures and neither a stored secret nor one of the webhook gets a new secret, which is returned only in this response.',
  access,
  params,
  query,
  body: WebhookSettings,
  success: { status: 200, description: 'The webhook.', schema: WebhookSecretResponse },
  errors,
});

export const replaceDagWebhookSecret = endpoint({
  method: 'POST',
  path: `${path}/secret`,
  operationId: 'replaceDAGWebhookSecret',
  audit: { category: 'webhook', action: 'webhook_secret_replace' },
  tag,
  summary: 'Replace the secret of a webhook',
  description: 'The former secret becomes invalid at once. The new one is returned only in this response.',
  access,
  params,
  query,
  body: WebhookSecretRequest.default({}),
  bodyRequired: false,
  success: { status: 200, description: 'The webhook with its new secret.', schema: WebhookSecretResponse },
  errors,
});

export const triggerWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/{fileName}',
  operationId: 'triggerWebhook',
  audit: { category: 'webhook', action: 'webhook_trigger', recordsFailures: true },
  tag,
  summary: 'Start a run by a webhook',
  description:
    'Needs what the settings of the webhook ask for: "Authorization: Bearer" and its token, or a signature of the body. The run is queued; its steps read the payload, as JSON, from WEBHOOK_PAYLOAD. The header X-Weir-Profile (or X-Dagu-Profile) names its runtime profile. A sender that may have got no answer sends the same call again: 409 says that the run is there.',
  access: 'public',
  maxBodyBytes: maxWebhookBytes,
  params,
  query: z.object({ remoteNode: localNode }),
  body: WebhookRequest.default({}),
  bodyRequired: false,
  success: { status: 200, description: 'The run is queued.', schema: WebhookResponse },
  errors: {
    400: {
      description: 'The DAG has errors, its parameters do not allow the call, or the request is not valid.',
      reasons: [
        'request_invalid',
        'spec_invalid',
        'params_invalid',
        'webhook_filter_failed',
        'profile_unknown',
        'profile_disabled',
        'remote_node_unsupported',
      ],
    },
    401: {
      description:
        'The token or signature is missing or not that of a webhook of this DAG, or its time is too far off.',
      reasons: ['webhook_token_invalid'],
    },
    403: {
      description: 'The webhook is switched off, or may not choose this profile.',
      reasons: ['webhook_disabled', 'profile_protected', 'webhook_profile_unsigned'],
    },
    404: { description: 'The DAG was deleted.', reasons: ['dag_not_found'] },
    409: {
      description: 'There is a run with this id, or this delivery has started one.',
      reasons: ['dag_run_exists', 'webhook_delivery_repeated'],
    },
    413: {
      description: `The body is larger than ${maxWebhookBytes} bytes, or, without a filter, its payload than ${maxWebhookPayloadBytes}.`,
      reasons: ['body_too_large', 'webhook_payload_too_large'],
    },
    429: {
      description: 'Too many wrong tokens or signatures from this address, or too many calls of the webhook.',
      reasons: ['too_many_attempts', 'webhook_rate_limited'],
    },
    503: {
      description: 'The secret of the webhook cannot be read.',
      reasons: ['webhook_secret_unreadable'],
    },
  },
});
