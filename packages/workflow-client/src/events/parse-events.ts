import { createParser } from 'eventsource-parser';
import type { ReceivedEvent } from './live-event';

/** The events of the body of an answer, of any operation that answers by events. `onReceived` is called for each part. */
export async function* parseEvents(
  body: ReadableStream<Uint8Array> | null,
  onReceived?: () => void,
): AsyncGenerator<ReceivedEvent> {
  if (body === null) return;
  let received: ReceivedEvent[] = [];
  let lastId = '';
  const parser = createParser({
    onEvent: ({ event = 'message', id = lastId, data }) => {
      lastId = id;
      received.push({ event, id, data });
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      onReceived?.();
      parser.feed(decoder.decode(part.value, { stream: true }));
      yield* received;
      received = [];
    }
  } finally {
    // A reader that has failed has nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
