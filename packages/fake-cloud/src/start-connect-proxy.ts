import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestAuthority } from './test-authority';

export interface ConnectProxyOptions {
  /** The loopback port for a host; `undefined` rejects the request. The proxy connects to nothing else. */
  readonly route: (host: string, port: number) => number | undefined;
  /** The certificate authority that clients must trust; added to `env`. */
  readonly ca?: TestAuthority;
  /** Required from clients, if given. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

export interface ConnectProxy {
  /** The URL with the credentials, percent-encoded. */
  readonly url: string;
  /** Proxy and certificate variables for Node.js and Python. */
  readonly env: Readonly<Record<string, string>>;
  /** `host:port` of every CONNECT request, including rejected ones; `GET http://…` for other requests. */
  readonly requests: readonly string[];
  /** Requests that were rejected because of their credentials. */
  readonly unauthorizedCount: () => number;
  /** Opened tunnels. The `connectionCount()` of a cloud minus this is the number of direct connections. */
  readonly tunnelCount: () => number;
  readonly stop: () => Promise<void>;
}

/** An HTTP proxy on a loopback address that supports CONNECT only, to the ports that `route` returns. */
export async function startConnectProxy(options: ConnectProxyOptions): Promise<ConnectProxy> {
  const state: State = { requests: [], unauthorized: 0, tunnels: 0, sockets: new Set() };
  const server = createServer((request, response) => {
    state.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
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
    env: { HTTPS_PROXY: url, ...trustVariables(options.ca) },
    requests: state.requests,
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
  readonly requests: string[];
  unauthorized: number;
  tunnels: number;
  readonly sockets: Set<Duplex>;
}

function openTunnel(state: State, options: ConnectProxyOptions, request: IncomingMessage, client: Duplex): void {
  trackSocket(state, client);
  const target = request.url ?? '';
  state.requests.push(target);
  if (!isAuthorized(options, request)) {
    state.unauthorized += 1;
    reject(client, '407 Proxy Authentication Required', 'Proxy-Authenticate: Basic realm="test"\r\n');
    return;
  }
  const colon = target.lastIndexOf(':');
  const port = options.route(target.slice(0, colon), Number(target.slice(colon + 1)));
  if (port === undefined) {
    reject(client, '403 Forbidden');
    return;
  }
  state.tunnels += 1;
  const server = connect(port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    client.pipe(server).pipe(client);
  });
  trackSocket(state, server);
  closeTogether(client, server);
}

function trackSocket(state: State, socket: Duplex): void {
  state.sockets.add(socket);
  socket.once('close', () => state.sockets.delete(socket));
  // Clients may disconnect at any time.
  socket.on('error', () => undefined);
}

function closeTogether(client: Duplex, server: Socket): void {
  client.once('close', () => server.destroy());
  server.once('close', () => client.destroy());
}

function reject(client: Duplex, status: string, headers = ''): void {
  client.end(`HTTP/1.1 ${status}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

function isAuthorized({ credentials }: ConnectProxyOptions, request: IncomingMessage): boolean {
  if (credentials === undefined) return true;
  const expected = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  return request.headers['proxy-authorization'] === `Basic ${expected}`;
}

function trustVariables(ca: TestAuthority | undefined): Readonly<Record<string, string>> {
  return ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: ca.file, REQUESTS_CA_BUNDLE: ca.file };
}

function userInfo({ credentials }: ConnectProxyOptions): string {
  if (credentials === undefined) return '';
  return `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`;
}
