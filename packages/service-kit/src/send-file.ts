import { pipeline } from 'node:stream/promises';
import type { FileAnswer } from '@weir/http-contract';
import type { Response } from 'express';

/**
 * Sends a file as an attachment. No browser may take it for a page of this server, whatever it holds: a script in it
 * could act for whoever looks at it.
 */
export async function sendFile(status: number, { name, size, content }: FileAnswer, res: Response): Promise<void> {
  res.status(status).attachment(name);
  res.set({
    // After the name, whose extension would choose the type.
    'content-type': 'application/octet-stream',
    'content-length': String(size),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  try {
    await pipeline(content, res);
  } catch (error) {
    // Whoever left does not want the rest.
    if (!res.closed) throw error;
  }
}
