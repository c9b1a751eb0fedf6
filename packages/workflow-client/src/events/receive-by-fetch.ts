import type { WorkflowClient } from '../workflow-client';
import type { ReceivedEvent } from './live-event';
import { parseEvents } from './parse-events';
import type { StreamRequest } from './stream-request';

/**
 * The events of one connection. Ends when the server ends the stream; throws the error of the client, or when the
 * stream was silent for longer than three heartbeats.
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
    yield* parseEvents(body, silence.end);
  } finally {
    silence.stop();
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
