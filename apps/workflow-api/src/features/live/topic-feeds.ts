import type { Principal } from '../../access/principal';
import type { FeedSource } from './feed-source';
import type { LiveSession } from './live-session';
import { toTopicError } from './topic-error';
import { createTopicFeed, type TopicFeed } from './topic-feed';
import type { Topic } from './topics';

export interface TopicFeedsOptions {
  readonly source: FeedSource;
  readonly toEventId: (id: number) => string;
  /** The state of a topic without subscribers is kept for this time, for a client that comes back. */
  readonly keepMs: number;
}

interface Entry {
  readonly topic: Topic;
  readonly feed: TopicFeed;
  readonly subscribers: Set<LiveSession>;
  /** Ends the refreshing of the feed. */
  readonly stop: () => void;
}

export type TopicFeeds = ReturnType<typeof createTopicFeeds>;

const runPauseMs = 20;
const listPauseMs = 250;

/** Keeps one feed for each topic and each set of rights, shared by all sessions that subscribe it. */
export function createTopicFeeds({ source, toEventId, keepMs }: TopicFeedsOptions) {
  const entries = new Map<string, Entry>();
  let lastId = 0;
  const nextId = (): number => (lastId += 1);

  const release = (key: string, entry: Entry): void => {
    entry.stop();
    if (entries.get(key) === entry) entries.delete(key);
  };

  const createEntry = (key: string, topic: Topic, principal: Principal): Entry => {
    const subscribers = new Set<LiveSession>();
    const feed = createTopicFeed({
      topic: topic.key,
      nextId,
      toEventId,
      now: () => performance.now(),
      pauseMs: pauseOf(topic),
      read: () => source.read(topic, principal),
      onFailure: (error) => {
        for (const session of subscribers) session.close(toTopicError(topic.key, error));
        release(key, entry);
      },
      onChange: () => {
        for (const session of subscribers) session.notify();
      },
      later: (work, delayMs) => void setTimeout(work, delayMs).unref(),
    });
    const entry = { topic, feed, subscribers, stop: source.watch(topic, principal, () => feed.refresh()) };
    entries.set(key, entry);
    return entry;
  };

  return {
    /** Resolves once the state is read. Rejects when it cannot be read. */
    async subscribe(session: LiveSession, topic: Topic): Promise<TopicFeed> {
      const key = toKey(topic, session.principal);
      const entry = entries.get(key) ?? createEntry(key, topic, session.principal);
      entry.subscribers.add(session);
      try {
        await entry.feed.load();
        return entry.feed;
      } catch (error) {
        entry.subscribers.delete(session);
        if (entry.subscribers.size === 0) release(key, entry);
        throw error;
      }
    },

    unsubscribe(session: LiveSession, topicKey: string): void {
      for (const [key, entry] of entries) {
        if (entry.topic.key !== topicKey || !entry.subscribers.delete(session)) continue;
        setTimeout(() => {
          if (entry.subscribers.size === 0) release(key, entry);
        }, keepMs).unref();
      }
    },
  };
}

function pauseOf({ pauseMs, changedBy }: Topic): number {
  return pauseMs ?? (changedBy === 'run' ? runPauseMs : listPauseMs);
}

/** Principals with equal rights see the same, except for topics of one person's own. */
function toKey({ key, changedBy }: Topic, { kind, id, role, workspaceAccess, scopes }: Principal): string {
  const owner = changedBy === 'session' ? [kind, id] : [];
  return JSON.stringify([key, role, workspaceAccess, scopes, ...owner]);
}
