import { AppError } from '@weir/foundation';
import type { TopicError } from '@weir/workflow-contract/schemas';
import type { Principal } from '../../access/principal';
import type { FeedSource } from './feed-source';
import { createLiveSession, type LiveSession } from './live-session';
import { tooManyTopics, toTopicError } from './topic-error';
import type { TopicFeed } from './topic-feed';
import { createTopicFeeds } from './topic-feeds';
import { parseTopic } from './topics';

export interface LiveHubDependencies {
  readonly source: FeedSource;
  readonly createSessionId: () => string;
  readonly maxStreams: number;
}

export interface TopicsChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

interface LoadedTopic {
  /** The topic as it was requested. */
  readonly text: string;
  readonly key: string;
  readonly feed: TopicFeed;
}

export type LiveHub = ReturnType<typeof createLiveHub>;

export const maxTopics = 200;
const keepMs = 30_000;

/** Manages the streams of all clients. A topic of several clients is read once for all of them. */
export function createLiveHub({ source, createSessionId, maxStreams }: LiveHubDependencies) {
  const eventIds = createEventIds(createSessionId());
  const feeds = createTopicFeeds({ source, toEventId: eventIds.format, keepMs });
  const sessions = new Map<string, LiveSession>();

  const load = async (session: LiveSession, text: string): Promise<LoadedTopic | TopicError> => {
    try {
      const topic = parseTopic(text);
      return { text, key: topic.key, feed: await feeds.subscribe(session, topic) };
    } catch (error) {
      return toTopicError(text, error);
    }
  };

  /**
   * A client that continues an earlier stream already has the states that the stream has sent; this holds for the
   * topics that it subscribes first.
   */
  const change = async (
    session: LiveSession,
    { add, remove, lastEventId = 0 }: TopicsChange & { readonly lastEventId?: number },
  ): Promise<TopicError[]> => {
    for (const topic of remove) {
      session.unsubscribe(topic);
      feeds.unsubscribe(session, topic);
    }
    const loaded = await Promise.all([...new Set(add)].map((text) => load(session, text)));
    return loaded.flatMap((result): TopicError[] => {
      if ('code' in result) return [result];
      const { text, key, feed } = result;
      if (session.has(key)) return [];
      // The stream may have ended meanwhile.
      const isFull = session.topics().length >= maxTopics;
      if (sessions.has(session.id) && !isFull) session.subscribe(key, feed, lastEventId);
      else feeds.unsubscribe(session, key);
      return isFull ? [toTopicError(text, tooManyTopics(maxTopics))] : [];
    });
  };

  return {
    /** Throws `too_many_streams` and `invalid_last_event_id`; the last event id is empty where there is none. */
    async open(
      topics: readonly string[],
      options: { readonly principal: Principal; readonly sendsDeltas: boolean; readonly lastEventId: string },
    ) {
      if (sessions.size >= maxStreams) {
        throw new AppError('unavailable', 'There are too many streams.', { reason: 'too_many_streams' });
      }
      const lastEventId = eventIds.parse(options.lastEventId);
      const session = createLiveSession({ ...options, id: createSessionId() });
      sessions.set(session.id, session);
      return { session, errors: await change(session, { add: topics, remove: [], lastEventId }) };
    },

    /** Throws `unknown_session` unless the stream belongs to the principal. */
    async change(sessionId: string, principal: Principal, topics: TopicsChange) {
      const session = sessions.get(sessionId);
      if (session === undefined || !isSame(session.principal, principal)) {
        throw new AppError('not_found', 'There is no such stream.', { reason: 'unknown_session' });
      }
      const errors = await change(session, topics);
      return { subscribed: [...session.topics()], errors };
    },

    close(session: LiveSession): void {
      sessions.delete(session.id);
      for (const topic of session.topics()) feeds.unsubscribe(session, topic);
    },
  };
}

function isSame(left: Principal, right: Principal): boolean {
  return left.kind === right.kind && left.id === right.id;
}

const processLength = 8;

/**
 * Converts between ids of events and ids of states. An id names the process that has numbered the states: to another
 * process, such as another replica or this server after a restart, the number says nothing about the state of a
 * client.
 */
function createEventIds(processId: string) {
  const prefix = processId.slice(0, processLength);
  return {
    format: (id: number): string => `${prefix}.${id}`,
    /** Returns the id of a state of this process, otherwise 0. Throws `invalid_last_event_id`. */
    parse: (text: string): number => {
      if (text === '') return 0;
      const [, process, id] = /^(?:(\w{1,8})\.)?(\d{1,15})$/.exec(text) ?? [];
      if (id !== undefined) return process === prefix ? Number(id) : 0;
      throw new AppError('invalid_request', 'The last event id is not one of this stream.', {
        reason: 'invalid_last_event_id',
      });
    },
  };
}
