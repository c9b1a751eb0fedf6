import type { ServerResponse } from 'node:http';

export interface EventStreamOptions {
  /** Sent when nothing else was sent for `heartbeatMs`. */
  readonly heartbeat: () => string;
  readonly heartbeatMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

const maxMissedBeats = 20;

/** One answer of server-sent events. */
export interface EventStream {
  readonly isOpen: boolean;
  /**
   * Sends the head with the first text. Resolves when the client can receive more or has disconnected; a client that
   * receives nothing for twenty heartbeats is disconnected.
   */
  send(text: string): Promise<void>;
  end(): void;
}

/**
 * Delays the head until there is something to send or a heartbeat is due, so that an earlier failure can be answered
 * with its own status.
 */
export function createEventStream(res: ServerResponse, options: EventStreamOptions): EventStream {
  let isOpen = false;
  const open = (): void => {
    if (isOpen) return;
    isOpen = true;
    res.writeHead(200, {
      ...options.headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
  };
  let missed = 0;
  const beat = setInterval(() => {
    missed = res.writableNeedDrain ? missed + 1 : 0;
    // A client that receives nothing for so long would keep a completion and its memory alive.
    if (missed > maxMissedBeats) res.destroy();
    if (missed > 0) return;
    open();
    res.write(options.heartbeat());
  }, options.heartbeatMs);
  res.once('close', () => clearInterval(beat));
  return {
    get isOpen() {
      return isOpen;
    },
    send: (text) => {
      open();
      beat.refresh();
      return res.write(text) || res.closed ? Promise.resolve() : waitForDrain(res);
    },
    end: () => {
      clearInterval(beat);
      if (isOpen) res.end();
    },
  };
}

function waitForDrain(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('drain', settle);
      res.off('close', settle);
      resolve();
    };
    res.once('drain', settle);
    res.once('close', settle);
  });
}
