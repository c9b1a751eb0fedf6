import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode } from '../common/parameters';
import { maxWebhookBytes, maxWebhookPayloadBytes } from '../webhooks/schemas';

/** Of one request. */
export const maxEvents = 50;

const { unauthenticated, parserBusy } = errorAnswers;

/**
 * The attributes by which an event is accepted, by CloudEvents 1.0.2; all others are passed on. Lengths are ours: the
 * specification has none but for whole events.
 */
export const CloudEvent = z
  .looseObject({
    specversion: z.literal('1.0').describe('Version of CloudEvents.'),
    id: z.string().min(1).max(255).describe('Unique among the events of the source.'),
    source: z.string().min(1).max(1_024).describe('Where it happened, as a URI reference.'),
    type: z.string().min(1).max(255).describe('What happened.'),
  })
  .meta({ id: 'CloudEvent', description: 'An event by CloudEvents 1.0.' });
export type CloudEvent = z.output<typeof CloudEvent>;

const EventOutcome = z
  .object({
    fileName: z.string().describe('Name of the file of the DAG.'),
    dagName: z.string().describe('Name of the DAG.'),
    outcome: z
      .enum(['started', 'already_started', 'filtered', 'suspended', 'refused'])
      .describe(
        '"started": a run is queued; "already_started": the event has started this run before; "filtered": the filter leaves it out; "suspended": the DAG is suspended; "refused": see the message.',
      ),
    dagRunId: z.string().optional().describe('The run that the event has started.'),
    message: z.string().optional().describe('Why no run was started.'),
  })
  .meta({ id: 'EventOutcome', description: 'What an event did to a DAG with a trigger for it.' });
export type EventOutcome = z.output<typeof EventOutcome>;

const ReceivedEvent = z
  .object({
    id: z.string().describe('Id of the event.'),
    source: z.string().describe('Source of the event.'),
    dags: z.array(EventOutcome).describe('The DAGs with a trigger for it that the caller may run, by file.'),
  })
  .meta({ id: 'ReceivedEvent', description: 'An event that was received.' });

const EventsResponse = z
  .object({ events: z.array(ReceivedEvent).describe('In the order of the request.') })
  .meta({ id: 'EventsResponse', description: 'What the events of a request have started.' });
export type EventsResponse = z.output<typeof EventsResponse>;

export const receiveEvents = endpoint({
  method: 'POST',
  path: '/events',
  operationId: 'receiveEvents',
  audit: { category: 'dag_run', action: 'events_receive' },
  tag: 'events',
  summary: 'Start runs by CloudEvents',
  description: `By the HTTP binding of CloudEvents 1.0, in each of its modes: "application/cloudevents+json" with one event, "application/cloudevents-batch+json" with up to ${maxEvents}, or headers "ce-id", "ce-source", "ce-type" and "ce-specversion" beside data that is JSON. Runs are stored before the answer; a sender that got none sends the same events again, which starts no run twice as long as the first is kept.`,
  access: 'authenticated',
  maxBodyBytes: maxWebhookBytes,
  query: z.object({ remoteNode: localNode }),
  body: z.unknown().describe('An event, a list of events, or the data of an event.'),
  success: { status: 200, description: 'The events were received.', schema: EventsResponse },
  errors: {
    400: {
      description: 'The request holds no valid events, or the node is not this one.',
      reasons: ['request_invalid', 'event_invalid', 'remote_node_unsupported'],
    },
    401: unauthenticated,
    413: {
      description: `The body is larger than ${maxWebhookBytes} bytes, or an event than ${maxWebhookPayloadBytes}.`,
      reasons: ['body_too_large', 'event_too_large'],
    },
    503: {
      description: 'Too many specs wait to be parsed, the folder is still being read, or filters took too long.',
      reasons: [...parserBusy.reasons, 'dags_loading', 'events_too_slow'],
    },
  },
});
