import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestAuthority } from './test-authority';

export interface ConnectProxyOptions {
  /** The loopback port that plays the host, or `undefined` to refuse it. Nothing else is ever connected to. */
  readonly route: (host: string, port: number) => number | undefined;
  /** Whose certificate clients must trust to believe the hosts; goes into `env`. */
  readonly ca?: TestAuthority;
  /** Nobody else may pass; without it anybody may. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

export interface ConnectProxy {
  /** With the credentials, percent-encoded. */
  readonly url: string;
  /** For programs that go through it: proxy and certificate, by the names that Node and Python know. */
  readonly env: Readonly<Record<string, string>>;
  /** `host:port` of every request, also of those refused; `GET http://…` where no tunnel was asked for. */
  readonly asked: readonly string[];
  /** How many requests were refused for their credentials. */
  readonly unauthorizedCount: () => number;
  /** How many connections were made. A cloud's `connectionCount()` less this is what came to it directly. */
  readonly tunnelCount: () => number;
  readonly stop: () => Promise<void>;
}

/** An HTTP proxy on the loopback address that only tunnels, and only to where `route` says. */
export async function startConnectProxy(options: ConnectProxyOptions): Promise<ConnectProxy> {
  const state: State = { asked: [], unauthorized: 0, tunnels: 0, sockets: new Set() };
  const server = createServer((request, response) => {
    state.asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(405).end();
  });
  server.on('connect', (request, socket) => openTunnel(state, options, request, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://${userInfo(options)}127.0.0.1:${port}`;
  return {
    url,
    env: { HTTPS_PROXY: url, ...trustIn(options.ca) },
    asked: state.asked,
    unauthorizedCount: () => state.unauthorized,
    tunnelCount: () => state.tunnels,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of state.sockets) socket.destroy();
      }),
  };
}

interface State {
  readonly asked: string[];
  unauthorized: number;
  tunnels: number;
  readonly sockets: Set<Duplex>;
}

function openTunnel(state: State, options: ConnectProxyOptions, request: IncomingMessage, client: Duplex): void {
  follow(state, client);
  const target = request.url ?? '';
  state.asked.push(target);
  if (!isWelcome(options, request)) {
    state.unauthorized += 1;
    refuse(client, '407 Proxy Authentication Required', 'Proxy-Authenticate: Basic realm="test"\r\n');
    return;
  }
  const colon = target.lastIndexOf(':');
  const port = options.route(target.slice(0, colon), Number(target.slice(colon + 1)));
  if (port === undefined) {
    refuse(client, '403 Forbidden');
    return;
  }
  state.tunnels += 1;
  const server = connect(port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    client.pipe(server).pipe(client);
  });
  follow(state, server);
  tie(client, server);
}

/** Remembers the socket, to end it with the proxy. */
function follow(state: State, socket: Duplex): void {
  state.sockets.add(socket);
  socket.once('close', () => state.sockets.delete(socket));
  // Clients break off as they like.
  socket.on('error', () => undefined);
}

/** One side that ends abruptly takes the other with it. */
function tie(client: Duplex, server: Socket): void {
  client.once('close', () => server.destroy());
  server.once('close', () => client.destroy());
}

function refuse(client: Duplex, status: string, headers = ''): void {
  client.end(`HTTP/1.1 ${status}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function isWelcome({ credentials }: ConnectProxyOptions, request: IncomingMessage): boolean {
  if (credentials === undefined) return true;
  const expected = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  return request.headers['proxy-authorization'] === `Basic ${expected}`;
}

function trustIn(ca: TestAuthority | undefined): Readonly<Record<string, string>> {
  return ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: ca.file, REQUESTS_CA_BUNDLE: ca.file };
}

function userInfo({ credentials }: ConnectProxyOptions): string {
  if (credentials === undefined) return '';
  return `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`;
}
