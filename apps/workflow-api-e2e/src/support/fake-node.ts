import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface NodeCall {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FakeNode {
  /** Address of its API. */
  readonly url: string;
  readonly calls: NodeCall[];
  /** How it answers from now on. */
  answer(handler: (response: ServerResponse, call: NodeCall) => void): void;
  stop(): Promise<void>;
}

/** Something in the place of a node that answers as it is told. */
export async function startFakeNode(): Promise<FakeNode> {
  const calls: NodeCall[] = [];
  let handler: (response: ServerResponse, call: NodeCall) => void = (response) => void response.writeHead(404).end();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const part of request) body += String(part);
    const call = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    calls.push(call);
    handler(response, call);
  };
  const server = createServer((request, response) => void receive(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    calls,
    answer: (next) => {
      handler = next;
      calls.length = 0;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
