import type { ServerEvent } from '@weir/http-contract';
import type { Response } from 'express';
import { writeToClient } from '../http/disconnect-signal';

const heartbeatMs = 15_000;

/** Sends server-sent events until there are no more or the client disconnects. Tells proxies not to buffer them. */
export async function sendEvents(res: Response, events: AsyncIterable<ServerEvent>): Promise<void> {
  res.set({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  res.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!res.writableNeedDrain) res.write(': heartbeat\n\n');
  }, heartbeatMs);
  try {
    for await (const event of events) {
      if (!(await writeToClient(res, formatEvent(event)))) return;
    }
    res.end();
  } finally {
    clearInterval(heartbeat);
  }
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
