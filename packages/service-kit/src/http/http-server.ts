import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@weir/foundation';
import { answerClientErrors, type RenderClientError } from './client-errors';
import { createDrain } from './http-drain';
import type { Resource } from '../lifecycle/lifecycle';

export interface HttpServerOptions {
  readonly listener: RequestListener;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The setting that chooses the port, which is named when the address is taken. */
  readonly portSetting?: string | undefined;
  /**
   * Whether other processes that say the same listen there too; the system divides the connections among them. Where it
   * cannot, as on macOS, `unavailable` with the reason `address_not_shareable` is thrown. Default: false.
   */
  readonly isShared?: boolean;
  /** How long requests in progress may take to finish at stop. Default 10 s. */
  readonly drainTimeoutMs?: number;
  /** How long a client may take to send the head of a request. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** Renders the body of answers to requests that are no valid HTTP. Without it they have none. */
  readonly renderClientError?: RenderClientError;
}

export interface HttpServer extends Resource {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, with brackets around an IPv6 address. */
  readonly url: string;
}

const requestTimeoutMs = 60_000;
const keepAliveTimeoutMs = 65_000;
const checkIntervalMs = 2_000;
/**
 * Connections that wait until they are accepted. The system takes its own limit where that is lower: 4,096 on Linux. When
 * thousands of clients connect again at once, those for whom there is no room are sent away without a word, and come
 * back seconds to minutes later.
 */
const backlog = 4_096;

/**
 * Listens, with every wait for a client bounded. Throws `unavailable` (reason `address_in_use`, …) when it cannot.
 * `stop` accepts no new connection, closes those without a request, and lets requests in progress finish until the drain
 * time is over.
 */
export async function listenHttp({
  listener,
  host,
  port,
  portSetting,
  isShared = false,
  drainTimeoutMs = 10_000,
  headersTimeoutMs = 10_000,
  renderClientError,
}: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(checkIntervalMs, headersTimeoutMs),
    keepAliveTimeout: keepAliveTimeoutMs,
  });
  const drain = createDrain(server, drainTimeoutMs);
  if (renderClientError !== undefined) answerClientErrors(server, renderClientError);
  server.on('request', listener);
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, { host, port, portSetting }));
    server.once('error', onError);
    server.listen({ port, host, backlog, reusePort: isShared }, () => {
      server.off('error', onError);
      resolve();
    });
  });
  // A TCP server always has an address object once it listens.
  const address = server.address() as AddressInfo;
  return {
    name: 'http server',
    host: address.address,
    port: address.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: drain,
  };
}

type Place = Pick<HttpServerOptions, 'host' | 'port' | 'portSetting'>;

function cannotListen(error: NodeJS.ErrnoException, { host, port, portSetting }: Place): AppError {
  const advice = portSetting === undefined ? '' : `; ${portSetting} chooses another port`;
  const reasons: Record<string, readonly [reason: string, message: string]> = {
    EADDRINUSE: ['address_in_use', `is taken by another process${advice}`],
    EACCES: ['address_forbidden', 'needs rights this process does not have'],
    ENOTSUP: ['address_not_shareable', 'cannot be shared by several processes on this system'],
    EADDRNOTAVAIL: ['address_not_available', 'is no address of this machine'],
  };
  const [reason, sentence] = reasons[error.code ?? ''] ?? ['address_failed', 'could not be opened'];
  return new AppError('unavailable', `The address ${host}:${port} ${sentence}.`, { reason, cause: error });
}
