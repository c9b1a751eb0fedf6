import { request, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** A `fetch` whose every request goes over a connection of its own: Node's cannot be pointed at a socket file. */
export function createStreamFetch(connect: () => Duplex): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({
        createConnection: connect,
        path: `${pathname}${search}`,
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.signal ? { signal: init.signal } : {}),
      });
      outgoing.once('response', resolve);
      outgoing.once('error', reject);
      outgoing.end(init.body);
    });
    const body = await buffer(response);
    const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response(body.length === 0 ? null : body, { status: response.statusCode ?? 0, headers });
  };
}
