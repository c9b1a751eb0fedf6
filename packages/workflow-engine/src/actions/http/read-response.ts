import type { IncomingMessage } from 'node:http';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';

/** Reads the whole body. Rejects when it is longer than the limit or the connection breaks. */
export async function readResponse(body: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of boundedBody(body, maxBytes, signal)) parts.push(part);
  return Buffer.concat(parts);
}

/** Reads the body in chunks, without holding it in memory. */
export async function* boundedBody(
  body: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const part of body) {
      const found = part as Buffer;
      bytes += found.length;
      if (bytes > maxBytes) break;
      yield found;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw actionFailed(`The response was interrupted (${errorCode(error) ?? 'unknown error'}).`, error);
  } finally {
    body.destroy();
  }
  if (bytes > maxBytes) throw actionFailed(`The response is longer than ${maxBytes} bytes.`);
}
