import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express, { type ErrorRequestHandler } from 'express';
import { toAppError } from '@weir/foundation';
import { createJsonBodyReader, requestIds } from '@weir/service-kit';
import { freePort } from '@weir/test-kit';
import { createForwarding } from './forward-request';

const servers: Server[] = [];
let gone: AbortController;
let outcome: Promise<string>;
/** The answer to the client. */
let forwarding: ServerResponse | undefined;

beforeEach(() => {
  gone = new AbortController();
});
afterEach(async () => {
  gone.abort();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The port of a process that forwards everything to the owner. */
function front(ownerPort: number): Promise<number> {
  const forward = createForwarding({ goneSignal: () => gone.signal });
  const readBody = createJsonBodyReader({ maxBytes: 1_000_000 });
  const app = express();
  app.use(requestIds());
  app.use(async (req, res) => {
    forwarding = res;
    const replica = { number: 2, address: `http://127.0.0.1:${ownerPort}` };
    const forwarded = forward({ req, res, replica, mark: '1.2.signature' });
    outcome = forwarded.catch((error: unknown) => toAppError(error).reason ?? '');
    if ((await forwarded) === 'unreached') res.json(await readBody(req, res));
  });
  const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
    if (res.headersSent) res.destroy();
    else res.status(503).end(toAppError(error).reason);
  };
  app.use(answerError);
  return listen(app);
}

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

async function send(port: number, { path = '/', method = 'POST', headers = {}, body = '' }: Sent = {}) {
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

const echo: RequestListener = (req, res) => {
  text(req).then(
    (body) => res.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'x-request-id': 'of the owner' }).end(body),
    () => res.destroy(),
  );
};

/** What the owner has received when it first looks. */
const seen = (): { readonly listener: RequestListener; readonly first: Promise<IncomingMessage> } => {
  let see: (req: IncomingMessage) => void = () => undefined;
  const first = new Promise<IncomingMessage>((resolve) => (see = resolve));
  return { first, listener: (req) => see(req.resume()) };
};

describe('a request that is forwarded', () => {
  const large = 'x'.repeat(3_000_000);

  it.each([
    ['small', 'body', { 'content-length': '4' }],
    ['large', large, { 'content-length': String(large.length) }],
    ['of unknown length', large, { 'transfer-encoding': 'chunked' }],
    ['empty', '', { 'content-length': '0' }],
  ])('and its answer arrive whole: %s', async (_name, body, headers) => {
    const answer = await send(await front(await listen(echo)), { body, headers });

    expect([answer.status, answer.body === body]).toEqual([201, true]);
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  it('keeps its method, address and headers, has the mark, and the id under which it is logged here', async () => {
    const { listener, first } = seen();
    const port = await front(await listen((req, res) => (listener(req, res), res.end())));

    const headers = { 'content-type': 'text/plain', 'x-request-id': 'r-1', expect: '100-continue', te: 'trailers' };
    const answer = await send(port, { path: '/a/b?c=%20d', method: 'PUT', headers, body: 'x' });

    const { method, url, headers: got } = await first;
    expect([method, url]).toEqual(['PUT', '/a/b?c=%20d']);
    expect(got).toMatchObject({
      'content-type': 'text/plain',
      'x-request-id': 'r-1',
      'x-weir-replica': '1.2.signature',
    });
    expect(got).not.toHaveProperty('te');
    expect(answer.headers['x-request-id']).toBe('r-1');
  });

  it('goes to the owner even if its address names another host', async () => {
    const elsewhere = seen();
    const owner = seen();
    const other = await listen(elsewhere.listener);
    const port = await front(await listen((req, res) => (owner.listener(req, res), res.end())));

    await send(port, { path: `http://127.0.0.1:${other}/key`, body: 'x' });

    expect((await owner.first).headers.host).not.toContain(String(other));
  });

  it('gets the head and each part of an answer when the owner sends them', async () => {
    const steps: (() => void)[] = [];
    const port = await front(
      await listen((req, res) => {
        req.resume();
        res.flushHeaders();
        steps.push(
          () => res.write('one'),
          () => res.end('two'),
        );
      }),
    );
    const sent = request({ host: '127.0.0.1', port, method: 'POST' }).end('x');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];

    const parts: string[] = [];
    for (const step of steps) {
      step();
      parts.push(String((await once(answer, 'data'))[0]));
    }

    expect(parts).toEqual(['one', 'two']);
    expect(await outcome).toBe('answered');
  });

  it('is not answered faster than the client reads', async () => {
    const part = Buffer.alloc(1_000_000);
    let left = 64;
    let heldBytes = 0;
    const port = await front(
      await listen((req, res) => {
        req.resume();
        const write = (): void => {
          heldBytes = Math.max(heldBytes, forwarding?.writableLength ?? 0);
          left -= 1;
          if (left > 0) res.write(part, write);
          else res.end();
        };
        write();
      }),
    );
    const sent = request({ host: '127.0.0.1', port, method: 'POST' }).end('x');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];

    let received = 0;
    for await (const chunk of answer) {
      received += (chunk as Buffer).length;
      await new Promise(setImmediate);
    }

    expect(received).toBe(63 * part.length);
    expect(heldBytes).toBeLessThan(2 * part.length);
  });

  it('that is answered before its end leaves the connection to the next one', async () => {
    const owner = await listen((req, res) => {
      if (req.url === '/large') res.writeHead(413).end('too large');
      else echo(req, res);
    });
    const socket = connect(await front(owner), '127.0.0.1');
    const bytes = 1_000_000;
    socket.write(`POST /large HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n${'x'.repeat(bytes / 2)}`);
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    socket.write('x'.repeat(bytes / 2));
    socket.write('POST /next HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok');

    expect(refusal.toString()).toMatch(/^HTTP\/1.1 413 /);
    expect(await text(socket)).toMatch(/HTTP\/1.1 201 [\s\S]*\r\nok\r\n/);
  });
});

describe('an owner', () => {
  it.each([
    ['small', 'x'],
    ['large', 'x'.repeat(200_000)],
  ])('that cannot be reached leaves the body to whoever answers then: %s', async (_name, content) => {
    const body = JSON.stringify({ content });
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const answer = await send(await front(await freePort()), { body, headers });

    expect([answer.body === body, await outcome]).toEqual([true, 'unreached']);
  });

  it.each([
    ['before its answer', 'replica_unreachable'],
    ['in its answer', 'replica_answer_broken'],
  ])('that breaks off %s is no answer', async (when, reason) => {
    const port = await front(
      await listen((req, res) => {
        if (when === 'in its answer') res.write('half', () => req.socket.destroy());
        else req.socket.destroy();
      }),
    );

    await send(port, { body: 'x' }).catch(() => undefined);

    expect(await outcome).toBe(reason);
  });

  it('that has lost its lease answers no more', async () => {
    const owner = seen();
    const port = await front(await listen(owner.listener));
    const answer = send(port, { body: 'x' });
    await owner.first;

    gone.abort();

    expect(await answer).toMatchObject({ status: 503, body: 'replica_unreachable' });
  });

  it.each([
    ['small', 'x'],
    ['large', 'x'.repeat(200_000)],
  ])('learns that the client has disconnected: %s', async (_name, body) => {
    const owner = seen();
    const port = await front(await listen(owner.listener));
    const sent = request({ host: '127.0.0.1', port, method: 'POST' }).on('error', () => undefined);
    sent.end(body);
    const { socket } = await owner.first;

    sent.destroy();

    await once(socket, 'close');
    expect(await outcome).toBe('answered');
  });

  it('hears nothing of a client that leaves before its small body is whole', async () => {
    let isAsked = false;
    const port = await front(await listen(() => (isAsked = true)));
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf');
    const [frontServer] = servers.slice(-1);
    await once(frontServer ?? socket, 'request');

    socket.destroy();

    expect(await outcome).toBe('answered');
    expect(isAsked).toBe(false);
  });
});
