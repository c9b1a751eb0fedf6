import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, systemErrorCode } from '@weir/foundation';

/** The body of an answer to a request that could not be read. */
export type RenderClientError = (error: AppError, requestId: string) => unknown;

interface Refusal {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    reason: 'headers_too_large',
    message: 'The address and the headers of the request are larger than 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    reason: 'request_too_slow',
    message: 'The request did not arrive in time.',
  },
};
const malformed: Refusal = {
  status: '400 Bad Request',
  reason: 'request_malformed',
  message: 'The request is not valid HTTP.',
};

/**
 * Answers requests that never become one, because Node's parser refuses them, with a JSON body. Node itself answers them
 * without a body. Call it before the server gets its listener.
 */
export function answerClientErrors(server: Server, render: RenderClientError): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => {
    answering.set(socket, response);
    response.once('close', () => answering.delete(socket));
  });
  server.on('clientError', (error, socket) => {
    // Either half an answer was sent, or the client no longer reads.
    if (!socket.writable || answering.get(socket)?.headersSent === true) {
      socket.destroy();
      return;
    }
    const { status, reason, message } = refusals[systemErrorCode(error) ?? ''] ?? malformed;
    const body = JSON.stringify(render(new AppError('invalid_request', message, { reason }), ''));
    const head = [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  });
}
