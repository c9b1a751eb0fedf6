import { isApiError } from '../api-error';
import type { WorkflowClient } from '../workflow-client';
import { toLiveEvent, type LiveEvent, type ReceivedEvent } from './live-event';
import { receiveByEventSource, type EventSourceLike } from './receive-by-event-source';
import { receiveByFetch } from './receive-by-fetch';
import type { StreamRequest } from './stream-request';

const maxPauseMs = 30_000;

export interface EventOptions {
  /** Read again for each connection, so a `Set` that changes is what the next one subscribes. */
  readonly topics: Iterable<string>;
  /** Id of the last event that is known: what has changed since is sent, and nothing else. */
  readonly lastEventId?: string;
  /** Whether changes may be sent as patches. Default false. */
  readonly delta?: boolean;
  /** Ends the events. */
  readonly signal?: AbortSignal;
  /** Before the second connection; each failure doubles it, up to 30 s. Default 1 s. */
  readonly pauseMs?: number;
  /** How long nothing, not even a heartbeat, may be received. Default 45 s, which is three heartbeats. */
  readonly silenceMs?: number;
  /**
   * Opens the `EventSource` of the browser, in place of `fetch`. It sends cookies but no bearer token, and tells no
   * reasons of failures, so a refused stream is opened again and again.
   */
  readonly eventSource?: (url: string) => EventSourceLike;
}

/**
 * What changes in the topics, over as many connections as it takes, each with the id of the last event. Ends when the
 * signal is aborted, and throws {@link ApiError} when the server refuses the stream.
 */
export async function* readEvents(client: WorkflowClient, options: EventOptions): AsyncGenerator<LiveEvent> {
  const { signal = new AbortController().signal, pauseMs = 1000 } = options;
  let { lastEventId } = options;
  for (let failures = 0; !signal.aborted; failures += 1) {
    for await (const event of untilLost(receive(client, { ...options, lastEventId, signal }), signal)) {
      if ('error' in event) {
        if (isRefusal(event.error)) throw event.error;
        yield { type: 'disconnected', error: event.error };
        continue;
      }
      failures = 0;
      if (event.id !== '') lastEventId = event.id;
      const liveEvent = toLiveEvent(event);
      if (liveEvent !== undefined) yield liveEvent;
    }
    await pause(Math.min(pauseMs * 2 ** failures, maxPauseMs), signal);
  }
}

type Connection = Omit<EventOptions, 'lastEventId'> & {
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
};

function receive(
  client: WorkflowClient,
  { topics, lastEventId, delta = false, signal, silenceMs = 45_000, eventSource }: Connection,
): AsyncGenerator<ReceivedEvent> {
  const query = { topic: [...topics], lastEventId, delta: delta ? ('true' as const) : undefined };
  const request: StreamRequest = { query, signal, silenceMs };
  if (eventSource === undefined) return receiveByFetch(client, request);
  return receiveByEventSource((search) => eventSource(`${client.baseUrl}/events/stream?${search}`), request);
}

interface LostConnection {
  readonly error: unknown;
}

/** What ends a connection comes last: it is no failure of whoever reads the events. */
async function* untilLost(
  events: AsyncGenerator<ReceivedEvent>,
  signal: AbortSignal,
): AsyncGenerator<ReceivedEvent | LostConnection> {
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
