import { get, type IncomingMessage } from 'node:http';
import type { ServerUnderTest } from './server-under-test';

export interface LiveClients {
  /** Bytes that all of them have received. */
  readonly received: () => number;
  readonly close: () => void;
}

export interface LiveEventData {
  readonly payload?: unknown;
  readonly patch?: readonly { readonly path: string; readonly value?: unknown }[];
}

export interface LiveClientOptions {
  readonly topic: string;
  readonly count: number;
  /** Whether they ask for patches. */
  readonly delta: boolean;
  readonly onEvent: (data: LiveEventData, client: number) => void;
}

/**
 * Streams of one topic, each read as fast as it comes. What several clients receive is parsed once: they share one
 * process, whose work must not be part of what is measured.
 */
export async function openClients(
  { baseUrl, token }: Pick<ServerUnderTest, 'baseUrl' | 'token'>,
  { topic, count, delta, onEvent }: LiveClientOptions,
): Promise<LiveClients> {
  const address = `${baseUrl}/events/stream?delta=${delta}&topic=${encodeURIComponent(topic)}`;
  const headers = { authorization: `Bearer ${token}` };
  const parse = createParser();
  let bytes = 0;
  const open = (client: number): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = get(address, { headers, agent: false }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`A stream was answered ${answer.statusCode}.`));
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          bytes += part.length;
          const blocks = (text + part).split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) {
            const data = parse(block);
            if (data !== undefined) onEvent(data, client);
          }
        });
        resolve(answer);
      });
      // A stream that is cut when the clients are closed has been opened before.
      request.on('error', reject);
    });
  const answers = await Promise.all(Array.from({ length: count }, (_, client) => open(client)));
  return {
    received: () => bytes,
    close: () => {
      for (const answer of answers) answer.destroy();
    },
  };
}

/** Parses the data of an event's text; `undefined` for a heartbeat. */
function createParser(): (block: string) => LiveEventData | undefined {
  let last: { readonly block: string; readonly data: LiveEventData | undefined } | undefined;
  return (block) => {
    if (last?.block !== block) {
      const json = /^data: (.*)$/m.exec(block)?.[1];
      last = { block, data: json === undefined ? undefined : (JSON.parse(json) as LiveEventData) };
    }
    return last.data;
  };
}
