import type { Response } from 'express';
import { drainingEvent } from '../http/http-drain';
import { writeToClient } from '../http/write-to-client';

/** The answer of another server, which is sent unchanged. Its creator has chosen its headers. */
export class PassedAnswer {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    /** Ended early when the client disconnects. */
    readonly body: AsyncIterable<Uint8Array>,
  ) {}
}

export async function sendPassedAnswer(
  res: Response,
  { status, headers }: PassedAnswer,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  res.status(status).set(headers);
  res.flushHeaders();
  // An open stream would hold up the end of the server.
  if (headers['content-type']?.startsWith('text/event-stream') === true) {
    res.once(drainingEvent, () => res.destroy());
  }
  try {
    for await (const part of body) {
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
