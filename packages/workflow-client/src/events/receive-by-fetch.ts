import { createParser } from 'eventsource-parser';
import type { WorkflowClient } from '../workflow-client';
import type { ReceivedEvent } from './live-event';
import type { StreamRequest } from './stream-request';

/**
 * The events of one connection. Ends when the server ends the stream; throws what the client throws, or when nothing
 * was received for longer than three heartbeats.
 */
export async function* receiveByFetch(
  client: WorkflowClient,
  { query, signal, silenceMs }: StreamRequest,
): AsyncGenerator<ReceivedEvent> {
  const silence = createSilence(silenceMs);
  try {
    const { data: body } = await client.GET('/events/stream', {
      params: { query },
      parseAs: 'stream',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    for await (const events of parse(body, silence.end)) yield* events;
  } finally {
    silence.stop();
  }
}

async function* parse(
  body: ReadableStream<Uint8Array> | null,
  onReceived: () => void,
): AsyncGenerator<readonly ReceivedEvent[]> {
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
      onReceived();
      parser.feed(decoder.decode(part.value, { stream: true }));
      yield received;
      received = [];
    }
  } finally {
    // A reader that has failed has nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}

/** A connection may be gone without either side being told. */
function createSilence(afterMs: number) {
  const controller = new AbortController();
  const start = () =>
    setTimeout(
      () => controller.abort(new DOMException(`Nothing was received for ${afterMs} ms.`, 'TimeoutError')),
      afterMs,
    );
  let timer = start();
  return {
    signal: controller.signal,
    end: (): void => {
      clearTimeout(timer);
      timer = start();
    },
    stop: (): void => clearTimeout(timer),
  };
}
