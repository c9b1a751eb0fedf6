import type { ServerEvent } from '@weir/http-contract';
import { workflowContract } from '@weir/workflow-contract';
import type { TopicError } from '@weir/workflow-contract/schemas';
import type { Bind } from '../../access/bind';
import { maxTopics, type LiveHub } from './live-hub';
import { tooManyTopics } from './topic-error';
import type { LiveSession } from './live-session';

// After this time the client opens a new stream, for which its credential is checked again.
const maxStreamMs = 5 * 60_000;

export function bindLiveRoutes(bind: Bind, hub: LiveHub): void {
  bind(workflowContract.streamEvents, async ({ input: { query }, principal, signal, lastEventId }) => {
    const topics = [...(query.topic ?? []), ...(query.topics?.split(',') ?? [])].filter((topic) => topic !== '');
    if (topics.length > maxTopics) throw tooManyTopics(maxTopics);
    const { session, errors } = await hub.open(topics, {
      principal,
      sendsDeltas: query.delta === 'true',
      lastEventId: query.lastEventId ?? lastEventId ?? '',
    });
    return sendSession(hub, session, { errors, signal });
  });

  bind(workflowContract.changeStreamTopics, ({ input: { body }, principal }) => {
    return hub.change(body.sessionID, principal, body);
  });
}

async function* sendSession(
  hub: LiveHub,
  session: LiveSession,
  { errors, signal }: { readonly errors: readonly TopicError[]; readonly signal: AbortSignal },
): AsyncGenerator<ServerEvent> {
  try {
    const subscribed = [...session.topics()];
    const data = { sessionID: session.id, subscribed, ...(errors.length === 0 ? {} : { errors }) };
    yield { event: 'control', data };
    yield* session.events(AbortSignal.any([signal, AbortSignal.timeout(maxStreamMs)]));
  } finally {
    hub.close(session);
  }
}
