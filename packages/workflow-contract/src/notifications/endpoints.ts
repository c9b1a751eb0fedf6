import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { rolesFrom } from '../common/roles';
import {
  CreateEventSubscriptionRequest,
  CreateEventSubscriptionResponse,
  EventDelivery,
  EventDeliveryListResponse,
  EventSubscription,
  EventSubscriptionListResponse,
  UpdateEventSubscriptionRequest,
} from './schemas';

const tag = 'notifications';
const access = rolesFrom('manager');
const path = '/event-subscriptions';
const params = z.object({ subscriptionId: z.string().min(1).max(64).describe('Id of the subscription.') });
const query = z.object({ remoteNode });
const { unauthenticated } = errorAnswers;
const withoutMailServer = {
  description: 'The request is not valid, the node is not this one, or the server has no mail server.',
  reasons: ['request_invalid', 'remote_node_unknown', 'mail_server_missing'],
} as const;
const invalid = {
  description: 'The request is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const forbidden = {
  description: 'The role does not permit this operation, or not in the workspace of the subscription.',
  reasons: ['role_missing'],
} as const;
const missing = {
  description: 'The subscription is unknown or not visible.',
  reasons: ['subscription_not_found'],
} as const;
const success = { status: 200, description: 'The subscription.', schema: EventSubscription } as const;
const errors = { 400: invalid, 401: unauthenticated, 403: forbidden, 404: missing } as const;

export const listEventSubscriptions = endpoint({
  method: 'GET',
  path,
  operationId: 'listEventSubscriptions',
  tag,
  summary: 'List the subscriptions to events',
  access,
  query,
  success: { status: 200, description: 'The visible subscriptions.', schema: EventSubscriptionListResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden },
});

export const createEventSubscription = endpoint({
  method: 'POST',
  path,
  operationId: 'createEventSubscription',
  audit: { category: 'event_subscription', action: 'event_subscription_create' },
  tag,
  summary: 'Subscribe to events of runs',
  description: 'The secret of a webhook is returned only in this response.',
  access,
  query,
  body: CreateEventSubscriptionRequest,
  success: { status: 201, description: 'The new subscription.', schema: CreateEventSubscriptionResponse },
  errors: { 400: withoutMailServer, 401: unauthenticated, 403: forbidden },
});

export const getEventSubscription = endpoint({
  method: 'GET',
  path: `${path}/{subscriptionId}`,
  operationId: 'getEventSubscription',
  tag,
  summary: 'Get a subscription',
  access,
  params,
  query,
  success,
  errors,
});

export const updateEventSubscription = endpoint({
  method: 'PATCH',
  path: `${path}/{subscriptionId}`,
  operationId: 'updateEventSubscription',
  audit: { category: 'event_subscription', action: 'event_subscription_update' },
  tag,
  summary: 'Change a subscription',
  description: 'Switching it on again forgets why it was switched off.',
  access,
  params,
  query,
  body: UpdateEventSubscriptionRequest,
  success,
  errors,
});

export const deleteEventSubscription = endpoint({
  method: 'DELETE',
  path: `${path}/{subscriptionId}`,
  operationId: 'deleteEventSubscription',
  audit: { category: 'event_subscription', action: 'event_subscription_delete' },
  tag,
  summary: 'Delete a subscription with its deliveries',
  access,
  params,
  query,
  success: { status: 204, description: 'The subscription was deleted.' },
  errors,
});

export const testEventSubscription = endpoint({
  method: 'POST',
  path: `${path}/{subscriptionId}/test`,
  operationId: 'testEventSubscription',
  audit: { category: 'event_subscription', action: 'event_subscription_test' },
  tag,
  summary: 'Send a test to a subscription',
  description: 'A delivery like any other: whether it was received is in the list of deliveries.',
  access,
  params,
  query,
  success: { status: 200, description: 'The delivery, which is pending.', schema: EventDelivery },
  errors: {
    ...errors,
    409: { description: 'The subscription is switched off.', reasons: ['subscription_disabled'] },
  },
});

export const listEventDeliveries = endpoint({
  method: 'GET',
  path: `${path}/{subscriptionId}/deliveries`,
  operationId: 'listEventDeliveries',
  tag,
  summary: 'List what was sent to a subscription',
  access,
  params,
  query: query.extend({
    limit: queryInteger(1, 500).default(50).describe('Maximum number: 1 to 500. Default 50.'),
  }),
  success: { status: 200, description: 'The newest deliveries.', schema: EventDeliveryListResponse },
  errors,
});

export const redeliverEvent = endpoint({
  method: 'POST',
  path: `${path}/{subscriptionId}/deliveries/{deliveryId}/redeliver`,
  operationId: 'redeliverEvent',
  audit: { category: 'event_subscription', action: 'event_redeliver' },
  tag,
  summary: 'Send an event again, under the same id',
  access,
  params: params.extend({ deliveryId: z.string().min(1).max(64).describe('Id of the delivery.') }),
  query,
  success: { status: 200, description: 'The delivery, which is pending.', schema: EventDelivery },
  errors: {
    ...errors,
    404: {
      description: 'The subscription is unknown or not visible, or has no such delivery.',
      reasons: ['subscription_not_found', 'event_delivery_not_found'],
    },
  },
});
