import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { isAppError } from '@weir/foundation';
import type { ServerEvent } from '@weir/http-contract';
import { waitFor } from '@weir/test-kit';
import { sendEvents } from './event-stream';
import { listenHttp, type HttpServer, type HttpServerOptions } from './http-server';

const ok: RequestListener = (_request, response) => response.end('ok');
// Far longer than a stop takes and far below the test's own limit: a stop that waits for it fails the test.
const longDrainMs = 60_000;

describe('listenHttp', () => {
  const servers: HttpServer[] = [];
  const clients: Socket[] = [];

  async function listen(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
    const server = await listenHttp({
      listener: ok,
      host: '127.0.0.1',
      port: 0,
      drainTimeoutMs: longDrainMs,
      ...options,
    });
    servers.push(server);
    return server;
  }

  async function open(server: HttpServer, text = ''): Promise<{ socket: Socket; received: () => string }> {
    const socket = connect(server.port, '127.0.0.1');
    clients.push(socket);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    if (text !== '') socket.write(text);
    return { socket, received: () => received };
  }

  const closed = (socket: Socket): Promise<unknown> =>
    waitFor(() => socket.destroyed || socket.readableEnded, { what: 'the connection to be closed', deadlineMs: 4000 });

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  it('lets thousands of clients connect at once', async () => {
    const asked: unknown[] = [];
    const channel = 'tracing:net.server.listen:asyncStart';
    const note = (message: unknown) => asked.push(message);
    subscribe(channel, note);
    await listen();
    unsubscribe(channel, note);
    expect(asked).toMatchObject([{ options: { backlog: 4_096 } }]);
  });

  it('uses a free port for port 0', async () => {
    const server = await listen();

    expect(server.port).toBeGreaterThan(0);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(server.url)).text()).toBe('ok');
  });

  it('puts brackets around an IPv6 address', async () => {
    const server = await listen({ host: '::1' });

    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect(await (await fetch(server.url)).text()).toBe('ok');
  });

  it.each([
    [
      'address_in_use',
      'is taken by another process; WEIR_PORT chooses another port',
      (port: number) => ({ port, portSetting: 'WEIR_PORT' }),
    ],
    ['address_not_available', 'is no address of this machine', () => ({ host: '192.0.2.1' })],
  ])('fails with %s and reports that the address %s', async (reason, sentence, options) => {
    const { port } = await listen();
    const error: unknown = await listen(options(port)).catch((caught: unknown) => caught);

    expect(isAppError(error) && error).toMatchObject({ code: 'unavailable', reason });
    expect(String(error)).toMatch(new RegExp(`The address [^ ]+:\\d+ ${sentence}\\.$`));
  });

  it('disconnects a client that does not finish the head of its request', async () => {
    const server = await listen({ headersTimeoutMs: 100 });
    const { socket, received } = await open(server, 'GET / HTTP/1.1\r\nHost: ');

    await closed(socket);
    expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  });

  describe('stop', () => {
    async function requestUnderWay(options: Partial<HttpServerOptions> = {}) {
      let response: ServerResponse | undefined;
      const server = await listen({ ...options, listener: (_request, answer) => (response = answer) });
      const { socket, received } = await open(server, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      const answer = await waitFor(() => response, { what: 'the request to arrive' });
      return { server, socket, received, answer };
    }

    it('accepts no new connection', async () => {
      const server = await listen();
      await server.stop();

      await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    });

    it('lets a request in progress end, and closes its connection', async () => {
      const { server, socket, received, answer } = await requestUnderWay();
      let isStopped = false;
      const stopping = server.stop().then(() => (isStopped = true));

      await expect(fetch(server.url)).rejects.toThrow('fetch failed');
      expect(isStopped).toBe(false);
      answer.end('whole');
      await stopping;
      await closed(socket);

      expect(received()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*whole$/);
    });

    it('finishes sending a complete answer to a slow client', async () => {
      const large = Buffer.alloc(20_000_000, 'x');
      const server = await listen({ listener: (_request, response) => response.end(large) });
      const socket = connect(server.port, '127.0.0.1');
      clients.push(socket);
      let received = 0;
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise<void>((resolve) => {
        socket.once('data', (chunk) => {
          received += chunk.length;
          socket.pause();
          resolve();
        });
      });
      const stopping = server.stop();
      await expect(fetch(server.url)).rejects.toThrow('fetch failed');
      socket.on('data', (chunk) => (received += chunk.length));
      socket.resume();
      await stopping;
      await closed(socket);

      expect(received).toBeGreaterThan(large.length);
    });

    it('closes a connection with an incomplete request', async () => {
      const server = await listen();
      const { socket } = await open(server, 'GET / HTTP/1.1\r\nHost: ');
      await fetch(server.url);

      await server.stop();
      await closed(socket);
    });

    it('does not wait for a connection that stays open after a streamed answer', async () => {
      const { server, socket, received, answer } = await requestUnderWay();
      answer.write('first');
      await waitFor(() => received().includes('first'), { what: 'the first part' });
      const stopping = server.stop();
      answer.end('last');
      await stopping;
      await closed(socket);

      expect(received()).toContain('last');
    });

    it('ends streams of events, which clients reopen elsewhere', async () => {
      async function* events(): AsyncGenerator<ServerEvent> {
        yield { data: 'first' };
        await new Promise<never>(() => undefined);
      }
      const server = await listen({ listener: (_request, response) => void sendEvents(response, events()) });
      const { socket, received } = await open(server, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await waitFor(() => received().includes('first'), { what: 'the first event' });
      await server.stop();

      await closed(socket);
    });

    it('closes what is still in progress when the drain time is over', async () => {
      const { server, socket } = await requestUnderWay({ drainTimeoutMs: 50 });
      await server.stop();

      await closed(socket);
    });

    it('does not wait for idle keep-alive connections', async () => {
      const server = await listen();
      const agent = new Agent({ keepAlive: true });
      const message = await new Promise<IncomingMessage>((resolve) => get(server.url, { agent }, resolve));
      message.resume();
      await waitFor(() => Object.keys(agent.freeSockets).length === 1, { what: 'the connection to fall idle' });

      await server.stop();
      agent.destroy();
    });

    it('does not wait for connections that never sent anything', async () => {
      const server = await listen();
      const { socket } = await open(server);
      await fetch(server.url);

      await server.stop();
      await closed(socket);
    });

    it('resolves even when it was already stopped', async () => {
      const server = await listen();
      await server.stop();

      await expect(server.stop()).resolves.toBeUndefined();
    });
  });
});
