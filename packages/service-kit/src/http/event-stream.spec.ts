import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ServerEvent } from '@weir/http-contract';
import { createEventStream, sendEvents } from './event-stream';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The answer of a server whose only handler is this one. */
async function request(handle: (res: ServerResponse) => void): Promise<IncomingMessage> {
  const server = createServer((_, res) => handle(res)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ host: '127.0.0.1', port, agent: false }), 'response')) as [IncomingMessage];
  return answer.setEncoding('utf8');
}

async function readUntil(answer: IncomingMessage, pattern: RegExp): Promise<string> {
  let seen = '';
  for await (const chunk of answer.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    seen += chunk;
    if (pattern.test(seen)) return seen;
  }
  throw new Error(`The answer ended without ${String(pattern)}: ${seen}`);
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const large: ServerEvent = { data: 'x'.repeat(1024 * 1024) };

/** Yields large events and counts those that were taken; `ended` resolves when no more are taken. */
function largeEvents() {
  const ended = withResolvers<undefined>();
  const source = { taken: 0, ended: ended.promise, events: take() };
  async function* take(): AsyncGenerator<ServerEvent> {
    try {
      for (;;) {
        source.taken += 1;
        yield await Promise.resolve(large);
      }
    } finally {
      ended.resolve(undefined);
    }
  }
  return source;
}

describe('sendEvents', () => {
  it('answers before the first event, with heartbeats until it comes', async () => {
    const first = withResolvers<ServerEvent>();
    async function* events(): AsyncGenerator<ServerEvent> {
      yield await first.promise;
    }
    const answer = await request((res) => void sendEvents(res, events(), { heartbeatMs: 5 }));

    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    await expect(readUntil(answer, /: heartbeat\n\n/)).resolves.not.toContain('data');
    first.resolve({ event: 'run', id: '7', data: { status: 'failed' } });
    await expect(readUntil(answer, /data/)).resolves.toContain('event: run\nid: 7\ndata: {"status":"failed"}\n\n');
  });

  it('serializes an event once for all clients', async () => {
    let serialized = 0;
    const event = { data: { toJSON: () => (serialized += 1) } };
    async function* events(): AsyncGenerator<ServerEvent> {
      yield await Promise.resolve(event);
    }
    const readOne = async () => readUntil(await request((res) => void sendEvents(res, events())), /data/);

    await expect(Promise.all([readOne(), readOne()])).resolves.toEqual(['data: 1\n\n', 'data: 1\n\n']);
  });

  it('reads no more events than the client, and none after it has disconnected', async () => {
    const source = largeEvents();
    const answer = await request((res) => void sendEvents(res, source.events));
    // A macrotask each, in which events that are not held back would all be taken.
    for (let round = 0; round < 500; round++) await new Promise(setImmediate);

    expect(source.taken).toBeLessThan(100);
    answer.destroy();
    await source.ended;
  });

  it('disconnects a client that receives nothing for twenty heartbeats', async () => {
    const source = largeEvents();
    await request((res) => void sendEvents(res, source.events, { heartbeatMs: 1 }));

    await source.ended;
    expect(source.taken).toBeLessThan(100);
  });
});

describe('createEventStream', () => {
  it('leaves the answer to the caller until something is sent', async () => {
    const answer = await request((res) => {
      const stream = createEventStream(res);
      stream.end();
      res.writeHead(503).end(`open: ${stream.isOpen}`);
    });

    expect(answer.statusCode).toBe(503);
    await expect(readUntil(answer, /open/)).resolves.toBe('open: false');
  });

  it('notifies the sender when the client has disconnected', async () => {
    const sent = withResolvers<boolean>();
    const answer = await request((res) => {
      const stream = createEventStream(res);
      stream.open();
      res.once('close', () => void stream.send('data: 1\n\n').then(sent.resolve));
    });
    answer.destroy();

    await expect(sent.promise).resolves.toBe(false);
  });
});
