import type { ServerResponse } from 'node:http';

/** Aborted when the client disconnects before the answer was sent. */
export function disconnectSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (res.closed) controller.abort();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Whether the client could be sent more: resolves at once or when it has read enough, false once it disconnected. */
export function writeToClient(res: ServerResponse, chunk: string | Uint8Array): Promise<boolean> {
  if (res.closed) return Promise.resolve(false);
  if (res.write(chunk)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('drain', settle);
      res.off('close', settle);
      resolve(!res.closed);
    };
    res.once('drain', settle);
    res.once('close', settle);
  });
}
