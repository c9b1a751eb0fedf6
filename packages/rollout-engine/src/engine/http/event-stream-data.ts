import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { engineFailed } from './engine-failure';
import type { EngineBody } from './engine-connection';

/** Yields the data of each event of an engine's stream. Other fields and comments are ignored. */
export async function* eventStreamData(body: EngineBody): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let received: string[] = [];
  const parser = createParser({
    maxBufferSize: body.maxBytes,
    onEvent: ({ data }) => void received.push(data),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw engineFailed('engine_answer_too_large');
    },
  });
  for await (const chunk of body.chunks) {
    parser.feed(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
    if (received.length === 0) continue;
    const events = received;
    received = [];
    yield* events;
  }
}
