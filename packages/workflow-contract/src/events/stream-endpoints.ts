import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';

const tag = 'events';
const { unauthenticated } = errorAnswers;
const maxTopics = 200;

const topic = z.string().min(1).max(4096);
const topicList = z.array(topic).max(maxTopics).default([]);

const topicTypes =
  'Topics are dagrun:name/runId, subdagrun:name/runId/subRunId, dag:fileName, daghistory:fileName (with ? and the query of its operation, if any), dagrunlogs:name/runId, steplog:name/runId/step, loglines:name/runId (with ? and sub, step, stream, if any), and the lists dagruns:, runfailures:, runcounts:, dagslist: and queues: with the query of their operation.';

const TopicError = z
  .object({
    topic: z.string().describe('The topic as it was requested.'),
    code: z
      .enum(['unauthorized', 'not_found', 'invalid_topic', 'unsupported_topic', 'too_many_topics', 'unavailable'])
      .describe('Why it was not subscribed.'),
    message: z.string().describe('The same for people.'),
  })
  .meta({ id: 'StreamTopicError', description: 'A topic that was not subscribed.' });
export type TopicError = z.output<typeof TopicError>;

export const streamEvents = endpoint({
  method: 'GET',
  path: '/events/stream',
  operationId: 'streamEvents',
  tag,
  summary: 'Be told of changes',
  description: `Server-sent events. The first one, "control", has the session id and the topics. Each later one, "message", has an id, a topic and its payload, which is the response of the GET operation of that topic; it is sent when the payload has changed. With delta=true, "delta" has a JSON Patch (RFC 6902) against the payload that was sent last, where that is shorter. After a gap, the last event id brings what has changed since. ${topicTypes} A stream ends after five minutes and is to be opened again.`,
  access: 'authenticated',
  query: z.object({
    remoteNode,
    topic: z
      .preprocess(
        (value) => (value === undefined || Array.isArray(value) ? value : [value]),
        z.array(topic).max(maxTopics).optional(),
      )
      .meta({ type: 'array', items: { type: 'string' }, description: 'A topic; may be repeated, up to 200 times.' }),
    topics: z.string().max(32_768).optional().describe('Comma-separated topics, instead of repeating "topic".'),
    token: z
      .string()
      .max(4096)
      .optional()
      .describe('The bearer token, for clients that cannot send headers. It is not logged.'),
    lastEventId: z.string().max(32).optional().describe('Id of the last event, as the header Last-Event-ID.'),
    delta: z.enum(['true', 'false']).optional().describe('Whether patches are sent. Default false.'),
  }),
  success: { status: 200, description: 'The events.', content: { kind: 'events' } },
  errors: {
    400: {
      description: 'A parameter is not valid, there are more than 200 topics, or the node is not this one.',
      reasons: ['request_invalid', 'too_many_topics', 'invalid_last_event_id', 'remote_node_unknown'],
    },
    401: unauthenticated,
    503: { description: 'There are too many streams.', reasons: ['too_many_streams'] },
  },
});

export const changeStreamTopics = endpoint({
  method: 'POST',
  path: '/events/stream/topics',
  operationId: 'changeStreamTopics',
  audit: 'no-change',
  tag,
  summary: 'Change the topics of a stream',
  access: 'authenticated',
  query: z.object({ remoteNode }),
  body: z
    .object({
      sessionID: z.string().min(1).max(64).describe('The session id of the stream.'),
      add: topicList.describe('Topics to subscribe.'),
      remove: topicList.describe('Topics to unsubscribe, as the stream spelled them.'),
    })
    .meta({ id: 'ChangeStreamTopicsRequest', description: 'Topics to add and to remove.' }),
  success: {
    status: 200,
    description: 'The topics of the stream now.',
    schema: z
      .object({
        subscribed: z.array(z.string()).describe('The topics of the stream.'),
        errors: z.array(TopicError).describe('Topics that were not subscribed.'),
      })
      .meta({ id: 'ChangeStreamTopicsResponse', description: 'The topics of a stream.' }),
  },
  errors: {
    400: {
      description: 'The request is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The caller has no such stream.', reasons: ['unknown_session'] },
  },
});
