import { z } from 'zod';
import { DagName } from '../run-inputs/identity';

const timestamp = z.iso.datetime({ offset: true });

const eventTypes = [
  'run.succeeded',
  'run.partially_succeeded',
  'run.failed',
  'run.aborted',
  'run.rejected',
  'run.waiting',
  'run.recovered',
  'run.late',
  'step.failed',
  'step.retried',
  'step.waiting',
  'schedule.skipped',
  'dag.stale',
  'queue.blocked',
] as const;
export const EventType = z.enum(eventTypes);
export type EventType = z.output<typeof EventType>;

export const subscriptionKinds = ['webhook', 'slack', 'teams', 'discord', 'email'] as const;

const name = z.string().min(1).max(100).describe('What people call it.');
const kind = z
  .enum(subscriptionKinds)
  .describe(
    'webhook: signed JSON by Standard Webhooks. email: a mail by the mail server of this server. The others: a message for an incoming webhook of that service.',
  );
const events = z
  .array(EventType)
  .min(1)
  .max(eventTypes.length)
  .describe(
    'What is sent. "run.recovered" is a success after a failure of the same DAG, "run.late" a run that should have ended by now, "dag.stale" a DAG that has not succeeded for too long, "queue.blocked" a queue in which runs wait and none is executed.',
  );
const url = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .describe('Where to, unless it is a mail; never returned, as it may hold a secret.');
const to = z.email().max(254).describe('The address of a mail; never returned, its domain is.');
const workspace = z.string().max(64).optional().describe('Only runs of this workspace. Default: of all of them.');
const dagName = DagName.optional().describe('Only runs of the DAG of this name. Default: of all of them.');
const longestSeconds = 366 * 24 * 3600;
const lateAfterSeconds = z
  .int()
  .min(1)
  .max(longestSeconds)
  .describe(
    'For "run.late": how long a run may take. Default: twice the longest of the newest 20 successful runs of its DAG, 5 minutes at least; three of them are needed.',
  );
const staleAfterSeconds = z
  .int()
  .min(1)
  .max(longestSeconds)
  .describe('For "dag.stale", which needs it and "dagName": how long the DAG may go without a success.');

const blockedAfterSeconds = z
  .int()
  .min(1)
  .max(longestSeconds)
  .describe('For "queue.blocked": how long the next run of a queue may wait. Default: 10 minutes.');
const longestPauseSeconds = 7 * 24 * 3600;
const digestSeconds = z
  .int()
  .min(60)
  .max(longestPauseSeconds)
  .describe(
    'Events are collected for this time after the first of them and sent as one message, equal ones as one line with their number. Not for the kind "webhook".',
  );
const repeatAfterSeconds = z
  .int()
  .min(60)
  .max(longestPauseSeconds)
  .describe(
    'An event of the same type about the same DAG and step is sent again only after this time, or after a success of the DAG.',
  );
const mutedUntil = timestamp.describe('Until then nothing is sent, and what happens meanwhile is not sent later.');

export const EventSubscription = z
  .object({
    id: z.string().describe('UUID.'),
    name,
    kind,
    events,
    workspace,
    dagName,
    lateAfterSeconds: lateAfterSeconds.optional(),
    staleAfterSeconds: staleAfterSeconds.optional(),
    blockedAfterSeconds: blockedAfterSeconds.optional(),
    digestSeconds: digestSeconds.optional(),
    repeatAfterSeconds: repeatAfterSeconds.optional(),
    mutedUntil: mutedUntil.optional(),
    host: z.string().describe('The host of its address; of a mail, the domain.'),
    enabled: z.boolean().describe('Whether events are sent.'),
    disabledReason: z.string().optional().describe('Why the server has switched it off.'),
    failingSince: timestamp.optional().describe('When the first of the sends failed that have failed since.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
    createdBy: z.string().describe('Id of who created it.'),
  })
  .meta({ id: 'EventSubscription', description: 'Where events are sent.' });
export type EventSubscription = z.output<typeof EventSubscription>;

export const EventSubscriptionListResponse = z
  .object({ subscriptions: z.array(EventSubscription).describe('By name.') })
  .meta({ id: 'EventSubscriptionListResponse', description: 'Subscriptions to events.' });

export const CreateEventSubscriptionRequest = z
  .strictObject({
    name,
    kind,
    events,
    workspace,
    dagName,
    url: url.optional(),
    to: to.optional(),
    lateAfterSeconds: lateAfterSeconds.optional(),
    staleAfterSeconds: staleAfterSeconds.optional(),
    blockedAfterSeconds: blockedAfterSeconds.optional(),
    digestSeconds: digestSeconds.optional(),
    repeatAfterSeconds: repeatAfterSeconds.optional(),
  })
  .meta({ id: 'CreateEventSubscriptionRequest', description: 'A new subscription to events.' });
export type CreateEventSubscriptionRequest = z.output<typeof CreateEventSubscriptionRequest>;

export const CreateEventSubscriptionResponse = z
  .object({
    subscription: EventSubscription,
    secret: z.string().optional().describe('What events of the kind webhook are signed with; returned only once.'),
  })
  .meta({ id: 'CreateEventSubscriptionResponse', description: 'A new subscription and its secret.' });

export const UpdateEventSubscriptionRequest = z
  .strictObject({
    name,
    events,
    url,
    to,
    lateAfterSeconds: lateAfterSeconds.nullable(),
    staleAfterSeconds: staleAfterSeconds.nullable(),
    blockedAfterSeconds: blockedAfterSeconds.nullable(),
    digestSeconds: digestSeconds.nullable(),
    repeatAfterSeconds: repeatAfterSeconds.nullable(),
    mutedUntil: mutedUntil.nullable(),
    enabled: z.boolean().describe('Whether events are sent.'),
  })
  .partial()
  .meta({ id: 'UpdateEventSubscriptionRequest', description: 'What changes of a subscription.' });
export type UpdateEventSubscriptionRequest = z.output<typeof UpdateEventSubscriptionRequest>;

/** A delivery is about an event, or about a test. */
export const DeliveryType = z.enum([...eventTypes, 'subscription.test']);
export type DeliveryType = z.output<typeof DeliveryType>;

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const EventDelivery = z
  .object({
    id: z.string().describe('UUID; the same for each attempt, as the header webhook-id.'),
    type: DeliveryType.describe('What happened.'),
    status: z.enum(deliveryStatuses).describe('Failed: no further attempt is made.'),
    attempts: z.int().describe('How often it was sent.'),
    createdAt: timestamp.describe('When it was to be sent first.'),
    nextAttemptAt: timestamp.optional().describe('When it is sent again; of pending ones.'),
    deliveredAt: timestamp.optional().describe('When it was received.'),
    responseStatus: z.int().optional().describe('Status of the last answer.'),
    error: z.string().optional().describe('Why the last attempt failed.'),
    payload: z.string().describe('The event, as JSON.'),
  })
  .meta({ id: 'EventDelivery', description: 'An event that is sent to a subscription.' });

export const EventDeliveryListResponse = z
  .object({ deliveries: z.array(EventDelivery).describe('Newest first.') })
  .meta({ id: 'EventDeliveryListResponse', description: 'The newest deliveries of a subscription.' });
