import type { ServerUnderTest } from './server-under-test';

export interface LiveClients {
  /** Bytes that all of them have received. */
  readonly received: () => number;
  readonly close: () => Promise<void>;
}

/** Streams of one topic, each read as fast as it comes. */
export async function openClients(
  { baseUrl, token }: Pick<ServerUnderTest, 'baseUrl' | 'token'>,
  {
    topic,
    count,
    onEvent,
  }: { readonly topic: string; readonly count: number; readonly onEvent: (data: unknown, client: number) => void },
): Promise<LiveClients> {
  const stop = new AbortController();
  let bytes = 0;
  const read = async (response: Response, client: number): Promise<void> => {
    if (response.body === null || !response.ok) throw new Error(`A stream was answered ${response.status}.`);
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      bytes += part.length;
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) onEvent(JSON.parse(data), client);
      }
    }
  };
  const address = `${baseUrl}/events/stream?topic=${encodeURIComponent(topic)}`;
  const headers = { authorization: `Bearer ${token}` };
  const responses = await Promise.all(
    Array.from({ length: count }, () => fetch(address, { headers, signal: stop.signal })),
  );
  // They end when the clients are closed.
  const reading = responses.map((response, client) => read(response, client).catch(() => undefined));
  return {
    received: () => bytes,
    close: async () => {
      stop.abort();
      await Promise.all(reading);
    },
  };
}
