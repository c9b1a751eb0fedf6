import type { ServerResponse } from 'node:http';

/** Resolves when the client can receive more, or with false once it has disconnected. */
export function writeToClient(res: ServerResponse, part: string | Uint8Array): Promise<boolean> {
  if (res.closed) return Promise.resolve(false);
  if (res.write(part)) return Promise.resolve(true);
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
