import { chmod, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import type { Logger, Resource } from '@weir/service-kit';

export interface LocalServerOptions {
  /** Path of the socket. The socket of a dead process is replaced, so only the owner of the database may call this. */
  readonly socket: string;
  readonly listener: RequestListener;
  readonly logger: Logger;
}

/**
 * Listens for commands of the same user. Where that is not possible, the process continues without it and logs a
 * warning.
 */
export async function listenLocally({ socket, listener, logger }: LocalServerOptions): Promise<Resource> {
  const server = createServer({ requestTimeout: 10_000 }, listener);
  try {
    await rm(socket, { force: true });
    await listen(server, socket);
    await chmod(socket, 0o600);
  } catch (error) {
    logger.warn({ socket, error }, 'control socket is not available');
    server.close();
    return { name: 'control socket', stop: () => Promise.resolve() };
  }
  return {
    name: 'control socket',
    stop: () =>
      new Promise((resolve) => {
        // Closing removes the socket's file. The callback fails only if the server was already closed.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Opens connections to a listener of this process, without a socket. */
export function connectWithin(listener: RequestListener): () => Duplex {
  const server = createServer(listener);
  return () => {
    const [client, remote] = duplexPair();
    server.emit('connection', remote);
    return client;
  };
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
