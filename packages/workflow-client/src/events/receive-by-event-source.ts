import type { ReceivedEvent } from './live-event';
import type { StreamRequest } from './stream-request';

const eventNames = ['control', 'message', 'delta', 'closed'] as const;

/** The part of the browser's `EventSource` that is used. */
export interface EventSourceLike {
  addEventListener(name: string, listener: (event: Event) => void): void;
  close(): void;
}

/**
 * The events of one connection of an `EventSource`. Throws when it reports an error, without details; it is then
 * closed, because the next connection must request the current topics.
 */
export async function* receiveByEventSource(
  open: (query: string) => EventSourceLike,
  { query, signal }: StreamRequest,
): AsyncGenerator<ReceivedEvent> {
  const received: (ReceivedEvent | 'lost')[] = [];
  let wake = (): void => undefined;
  const source = open(toSearch(query));
  for (const name of eventNames) {
    source.addEventListener(name, (event) => {
      const { data, lastEventId } = event as MessageEvent<string>;
      received.push({ event: name, id: lastEventId, data });
      wake();
    });
  }
  source.addEventListener('error', () => {
    received.push('lost');
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const next = received.shift();
      if (next === 'lost') throw new Error('The stream of events ended, or could not be opened.');
      if (next !== undefined) {
        yield next;
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.close();
  }
}

function toSearch(query: StreamRequest['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) search.append(name, item);
  }
  return search.toString();
}
