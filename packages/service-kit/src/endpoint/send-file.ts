import type { ByteRange, FileAnswer } from '@weir/http-contract';
import type { Request, Response } from 'express';
import { writeToClient } from '../http/write-to-client';

/**
 * Sends a file, or the requested range of it, as an attachment. Browsers must never treat it as a page of this server:
 * a script in it could act on behalf of its viewer.
 */
export async function sendFile(req: Request, res: Response, file: FileAnswer, type: string): Promise<void> {
  try {
    const whole = { start: 0, end: file.size - 1 };
    const range = requestedRange(req, file.size);
    res.attachment(file.name);
    res.set({
      // After the name, whose extension would choose the type.
      'content-type': type,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    });
    if (range === 'unsatisfiable') {
      res.status(416).set('content-range', `bytes */${file.size}`).end();
      return;
    }
    if (range !== undefined) res.status(206).set('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
    await sendRange(res, file, range ?? whole);
  } finally {
    await file.close?.();
  }
}

async function sendRange(res: Response, file: FileAnswer, range: ByteRange): Promise<void> {
  const length = range.end - range.start + 1;
  res.set('content-length', String(length));
  if (length === 0) {
    res.end();
    return;
  }
  try {
    for await (const part of file.read(range)) {
      // A client that disconnected does not want the rest.
      if (!(await writeToClient(res, part))) return;
    }
    res.end();
  } catch (error) {
    const isDisconnected = res.closed;
    // A destroyed connection shows the client that the answer is not complete.
    res.destroy();
    if (!isDisconnected) throw error;
  }
}

/** Several ranges are answered with the whole file, as HTTP allows. */
function requestedRange(req: Request, size: number): ByteRange | 'unsatisfiable' | undefined {
  const ranges = req.range(size);
  if (ranges === -1) return size === 0 ? undefined : 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1) return undefined;
  return ranges[0];
}
