import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { rolesFrom } from '../common/roles';
import { WebhookDeliveryDetails, WebhookDeliveryListResponse, WebhookResponse } from './schemas';
import { DagName } from '../run-inputs/identity';

const tag = 'webhooks';
const access = rolesFrom('developer');
const path = '/dags/{fileName}/webhook/deliveries';
const ofDag = z.object({ fileName: DagName });
const ofDelivery = ofDag.extend({ deliveryId: z.string().min(1).max(64).describe('Id of the delivery.') });
const query = z.object({ remoteNode });

const invalid = {
  description: 'The request is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const { unauthenticated, parserBusy } = errorAnswers;
const forbidden = {
  description: 'The role does not permit this operation, or not in the workspace of the DAG.',
  reasons: ['role_missing'],
} as const;
const webhookMissing = {
  description: 'There is no such DAG, it is not visible, or it has no webhook.',
  reasons: ['dag_not_found', 'webhook_not_found'],
} as const;
const deliveryMissing = {
  description: 'There is no such DAG, it is not visible, or it has no webhook or no such delivery.',
  reasons: ['dag_not_found', 'webhook_not_found', 'webhook_delivery_not_found'],
} as const;
const errors = { 400: invalid, 401: unauthenticated, 403: forbidden, 404: deliveryMissing, 503: parserBusy } as const;

export const listDagWebhookDeliveries = endpoint({
  method: 'GET',
  path,
  operationId: 'listDAGWebhookDeliveries',
  tag,
  summary: 'List the calls of a webhook',
  access,
  params: ofDag,
  query: query.extend({
    limit: queryInteger(1, 500).default(50).describe('Maximum number: 1 to 500. Default 50.'),
  }),
  success: { status: 200, description: 'The newest calls.', schema: WebhookDeliveryListResponse },
  errors: { ...errors, 404: webhookMissing },
});

export const getDagWebhookDelivery = endpoint({
  method: 'GET',
  path: `${path}/{deliveryId}`,
  operationId: 'getDAGWebhookDelivery',
  tag,
  summary: 'Get a call of a webhook with its headers and body',
  access,
  params: ofDelivery,
  query,
  success: { status: 200, description: 'The call.', schema: WebhookDeliveryDetails },
  errors,
});

export const redeliverDagWebhookDelivery = endpoint({
  method: 'POST',
  path: `${path}/{deliveryId}/redeliver`,
  operationId: 'redeliverDAGWebhookDelivery',
  audit: { category: 'webhook', action: 'webhook_redeliver' },
  tag,
  summary: 'Start a run from a retained call of a webhook',
  description: 'The body is mapped by the present settings of the webhook. The run gets an id of its own.',
  access,
  params: ofDelivery,
  query,
  success: { status: 200, description: 'The run is queued.', schema: WebhookResponse },
  errors: {
    ...errors,
    400: {
      description:
        'The DAG has errors, its parameters or the filter of the webhook do not allow the call, or the node is not this one.',
      reasons: ['request_invalid', 'spec_invalid', 'params_invalid', 'webhook_filter_failed', 'remote_node_unknown'],
    },
    409: { description: 'The body is not retained.', reasons: ['webhook_body_gone'] },
    413: {
      description: 'The payload is larger than steps can get, and the webhook has no filter now.',
      reasons: ['webhook_payload_too_large'],
    },
  },
});
