import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mailServerCertificate } from '@weir/test-kit';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Responds to one request, or leaves it pending. `number` counts from 1. */
export type Reply = (response: ServerResponse, request: SeenRequest, number: number) => void;

export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly close: () => Promise<void>;
}

/** An HTTP server that records its requests. */
export function startLoopbackServer(reply: Reply): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  return listen('http', createServer(recordRequests(requests, reply)), requests);
}

/** Starts the same server over TLS, with a self-signed certificate, for `localhost` by default. */
export function startTlsServer(
  reply: Reply,
  certificate: { readonly key: string; readonly cert: string } = mailServerCertificate,
): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  return listen('https', createTlsServer(certificate, recordRequests(requests, reply)), requests);
}

/** Replies with these statuses and JSON bodies in order; the last one answers all further requests. */
export function replying(...answers: readonly (readonly [status: number, json: unknown])[]): Reply {
  return (response, _request, number) => {
    const [status, json] = answers[Math.min(number, answers.length) - 1] ?? [500, {}];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
  };
}

function recordRequests(requests: SeenRequest[], reply: Reply) {
  return (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, path: url, headers, body };
      requests.push(seen);
      reply(response, seen, requests.length);
    });
  };
}

async function listen(protocol: string, server: Server, requests: readonly SeenRequest[]): Promise<LoopbackServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, url: `${protocol}://127.0.0.1:${port}`, requests, close };
}
