import { request as send, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Creates a `fetch` whose every request uses a connection of its own, because Node's `fetch` cannot use a socket file. */
export function createStreamFetch(connect: () => Duplex): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const content = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = send({
        createConnection: connect,
        path: `${pathname}${search}`,
        method: request.method,
        headers: Object.fromEntries(request.headers),
        signal: request.signal,
      });
      outgoing.once('response', resolve);
      outgoing.once('error', reject);
      outgoing.end(content);
    });
    const body = await buffer(response);
    const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response(body.length === 0 ? null : body, { status: response.statusCode ?? 0, headers });
  };
}
