import type { ServerEvent } from '@weir/http-contract';
import type { TopicError } from '@weir/workflow-contract/schemas';
import type { Principal } from '../../access/principal';
import type { TopicFeed } from './topic-feed';

export interface LiveSessionOptions {
  readonly id: string;
  readonly principal: Principal;
  /** Whether patches are sent. */
  readonly sendsDeltas: boolean;
}

interface Subscription {
  readonly feed: TopicFeed;
  /** Id of the state that the client has. */
  sentId: number;
}

export type LiveSession = ReturnType<typeof createLiveSession>;

/**
 * Collects the events for one client. It holds no payloads: a client that reads slowly gets the newest state of each
 * topic when it reads again, the oldest change first, so that its last event id covers everything before.
 */
export function createLiveSession({ id, principal, sendsDeltas }: LiveSessionOptions) {
  const subscriptions = new Map<string, Subscription>();
  const notices: ServerEvent[] = [];
  let wake: () => void = () => undefined;

  const findNext = () =>
    [...subscriptions.values()]
      .flatMap((subscription) => {
        const state = subscription.feed.state();
        return state === undefined || state.id <= subscription.sentId ? [] : [{ subscription, state }];
      })
      .toSorted((left, right) => left.state.id - right.state.id)[0];

  return {
    id,
    principal,
    topics: (): readonly string[] => [...subscriptions.keys()],
    has: (topic: string): boolean => subscriptions.has(topic),
    /** The client has all states up to the last event id; 0 where it has none. */
    subscribe: (topic: string, feed: TopicFeed, lastEventId: number): void => {
      const state = feed.state();
      const sentId = state !== undefined && state.id <= lastEventId ? state.id : 0;
      subscriptions.set(topic, { feed, sentId });
      wake();
    },
    unsubscribe: (topic: string): void => void subscriptions.delete(topic),
    /** Removes a topic that can no longer be read. */
    close: (error: TopicError): void => {
      subscriptions.delete(error.topic);
      notices.push({ event: 'closed', data: error });
      wake();
    },
    /** Reports that the state of a topic has changed. */
    notify: (): void => wake(),

    /** Yields events until the signal is aborted. */
    async *events(signal: AbortSignal): AsyncGenerator<ServerEvent> {
      signal.addEventListener('abort', () => wake(), { once: true });
      while (!signal.aborted) {
        const notice = notices.shift();
        if (notice !== undefined) {
          yield notice;
          continue;
        }
        const next = findNext();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        const { subscription, state } = next;
        const { feed, sentId } = subscription;
        subscription.sentId = state.id;
        yield sendsDeltas ? feed.deltaFrom(sentId, state) : state.message;
      }
    },
  };
}
