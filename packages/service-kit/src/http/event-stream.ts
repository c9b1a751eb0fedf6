import type { ServerResponse } from 'node:http';
import type { ServerEvent } from '@weir/http-contract';
import { drainingEvent } from './http-drain';
import { writeToClient } from './write-to-client';

export interface EventStreamOptions {
  /** The text sent when nothing else was sent for `heartbeatMs`. Default: a comment. */
  readonly heartbeat?: () => string;
  /** Default: 15 seconds. */
  readonly heartbeatMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const maxMissedBeats = 20;

/** One answer of server-sent events. */
export interface EventStream {
  /** Whether the head was sent. */
  readonly isOpen: boolean;
  /** Sends the head at once. */
  open(): void;
  /**
   * Sends text or bytes of it, with the head if that was not sent before. Resolves when the client can receive more, or with false
   * once it has disconnected; a client that receives nothing for twenty heartbeats is disconnected.
   */
  send(text: string | Uint8Array): Promise<boolean>;
  /** Ends the answer, if it was begun, and the heartbeats. */
  end(): void;
}

/**
 * Delays the head until there is something to send or a heartbeat is due, so that an earlier failure can be answered
 * with its own status. The head tells proxies not to buffer.
 */
export function createEventStream(res: ServerResponse, options: EventStreamOptions = {}): EventStream {
  const { heartbeat = () => ': heartbeat\n\n', heartbeatMs = 15_000, headers = {} } = options;
  let isOpen = false;
  const writeHead = (): void => {
    if (isOpen) return;
    isOpen = true;
    res.writeHead(res.statusCode, {
      ...headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
  };
  let missed = 0;
  const beat = setInterval(() => {
    missed = res.writableNeedDrain ? missed + 1 : 0;
    // A client that receives nothing for so long would keep the work behind its answer, and its memory, alive.
    if (missed > maxMissedBeats) res.destroy();
    if (missed > 0) return;
    writeHead();
    res.write(heartbeat());
  }, heartbeatMs);
  res.once('close', () => clearInterval(beat));
  return {
    get isOpen() {
      return isOpen;
    },
    open: () => {
      writeHead();
      res.flushHeaders();
    },
    send: (text) => {
      writeHead();
      beat.refresh();
      return writeToClient(res, text);
    },
    end: () => {
      clearInterval(beat);
      if (isOpen) res.end();
    },
  };
}

/**
 * Sends events until there are no more, the client disconnects or the server is stopped, after which clients of such
 * streams connect again. A failure of `events` is passed on. An event is serialized once, however many clients it is sent
 * to, so it must not change.
 */
export async function sendEvents(
  res: ServerResponse,
  events: AsyncIterable<ServerEvent>,
  options: Pick<EventStreamOptions, 'heartbeatMs'> = {},
): Promise<void> {
  const stream = createEventStream(res, options);
  stream.open();
  res.once(drainingEvent, () => res.destroy());
  for await (const event of events) {
    if (!(await stream.send(encodeEvent(event)))) return;
  }
  stream.end();
}

/** Keeps the encoded events, because hundreds of clients may receive the same event. */
const encodedEvents = new WeakMap<ServerEvent, Uint8Array>();

function encodeEvent(event: ServerEvent): Uint8Array {
  const known = encodedEvents.get(event);
  if (known !== undefined) return known;
  const encoded = Buffer.from(formatEvent(event));
  encodedEvents.set(event, encoded);
  return encoded;
}

function formatEvent({ event, id, data }: ServerEvent): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    // JSON holds no line break.
    `data: ${JSON.stringify(data)}`,
  ];
  return `${lines.join('\n')}\n\n`;
}
