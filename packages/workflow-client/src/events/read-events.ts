import { isApiError } from '@weir/api-client';
import type { WorkflowClient } from '../workflow-client';
import { parseLiveEvent, type DisconnectedEvent, type LiveEvent, type ReceivedEvent } from './live-event';
import { receiveByEventSource, type EventSourceLike } from './receive-by-event-source';
import { receiveByFetch } from './receive-by-fetch';
import type { StreamRequest } from './stream-request';
import { createTopicStates, type TopicStates } from './topic-states';

const maxPauseMs = 30_000;

export interface EventOptions {
  /** Read again for each connection, so the next one subscribes to the current content of a changed `Set`. */
  readonly topics: Iterable<string>;
  /** Ends the events. */
  readonly signal?: AbortSignal;
  /** Before the second connection; each failure doubles it, up to 30 s. Default 1 s. */
  readonly pauseMs?: number;
  /** How long the stream may be silent, without even a heartbeat. Default 45 s, which is three heartbeats. */
  readonly silenceMs?: number;
  /**
   * Opens the `EventSource` of the browser, in place of `fetch`. It sends cookies but no bearer token, and tells no
   * reasons of failures, so a refused stream is opened again and again.
   */
  readonly eventSource?: (url: string) => EventSourceLike;
}

/**
 * Yields the changes of the topics, over as many connections as necessary; each continues where the last one ended. The
 * server sends patches if they are shorter; the yielded values are whole states. Ends when the signal is aborted, and
 * throws `ApiError` when the server refuses the stream.
 */
export async function* readEvents(client: WorkflowClient, options: EventOptions): AsyncGenerator<LiveEvent> {
  const { signal = new AbortController().signal, pauseMs = 1000 } = options;
  const states = createTopicStates();
  for (let failures = 0; !signal.aborted; failures += 1) {
    for await (const event of untilLost(followTopics(client, { ...options, signal }, states), signal)) {
      if ('error' in event) {
        if (isRefusal(event.error)) throw event.error;
        yield { type: 'disconnected', error: event.error };
        continue;
      }
      failures = 0;
      yield event;
    }
    await pause(Math.min(pauseMs * 2 ** failures, maxPauseMs), signal);
  }
}

type Connection = EventOptions & { readonly signal: AbortSignal };

/** The events of one connection. */
async function* followTopics(
  client: WorkflowClient,
  options: Connection,
  states: TopicStates,
): AsyncGenerator<ConnectionEvent> {
  const topic = [...options.topics];
  const query = { topic, lastEventId: states.resumeAt(topic), delta: 'true' as const };
  for await (const received of receive(client, query, options)) {
    const event = parseLiveEvent(received);
    if (event === undefined) continue;
    if (event.type === 'closed') states.forget(event.topic);
    if (event.type === 'control' || event.type === 'closed') {
      yield event;
      continue;
    }
    const state = states.update(event);
    if (state === undefined) {
      states.clear();
      throw new Error(`A patch of "${event.topic}" does not fit what was received before.`);
    }
    yield state;
  }
}

function receive(
  client: WorkflowClient,
  query: StreamRequest['query'],
  { signal, silenceMs = 45_000, eventSource }: Connection,
): AsyncGenerator<ReceivedEvent> {
  const request: StreamRequest = { query, signal, silenceMs };
  if (eventSource === undefined) return receiveByFetch(client, request);
  return receiveByEventSource((search) => eventSource(`${client.baseUrl}/events/stream?${search}`), request);
}

type ConnectionEvent = Exclude<LiveEvent, DisconnectedEvent>;

interface LostConnection {
  readonly error: unknown;
}

/** Errors of the connection end it; errors of the code that reads the events are thrown elsewhere. */
async function* untilLost(
  events: AsyncGenerator<ConnectionEvent>,
  signal: AbortSignal,
): AsyncGenerator<ConnectionEvent | LostConnection> {
  try {
    yield* events;
  } catch (error) {
    if (!signal.aborted) yield { error };
  }
}

/** Asking again would be answered the same. */
function isRefusal(error: unknown): boolean {
  return isApiError(error) && error.status < 500 && error.status !== 408 && error.status !== 429;
}

function pause(forMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, forMs);
    signal.addEventListener('abort', end);
  });
}
