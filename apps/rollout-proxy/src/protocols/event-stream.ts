import type { ServerResponse } from 'node:http';

export interface EventStreamOptions {
  /** What is sent whenever nothing else was for this long. */
  readonly heartbeat: () => string;
  readonly heartbeatMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

const maxMissedBeats = 20;

/** One answer of server-sent events. */
export interface EventStream {
  readonly isOpen: boolean;
  /**
   * The head goes out with the first text. Resolves when the client has room for more, or has gone away; one that takes
   * nothing for twenty heartbeats is cut off.
   */
  send(text: string): Promise<void>;
  end(): void;
}

/**
 * Holds its head back until there is something to send or a heartbeat is due, so that what fails before that can
 * still be answered with a status of its own.
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
    // Whoever takes nothing for so long holds a turn and its memory for nothing.
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
