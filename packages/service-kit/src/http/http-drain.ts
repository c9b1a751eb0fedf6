import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';

/** Emitted by every response in progress when the server is stopped. */
export const drainingEvent = 'draining';

/**
 * Returns the function that stops a server: it accepts no new connection, closes those without a request at once and
 * the others after their answer, and cuts the rest after the time-out. Call it before the server gets its listener. The
 * `close` of Node's HTTP server is not sufficient: it cuts answers that are complete but not yet sent, and waits for
 * connections that never sent anything or that fall idle after it was called.
 */
export function createDrain(server: Server, timeoutMs: number): () => Promise<void> {
  const connections = new Map<Socket, Set<ServerResponse>>();
  let isDraining = false;
  server.on('connection', (socket) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const responses = connections.get(socket);
    responses?.add(response);
    if (isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      responses?.delete(response);
      if (isDraining && responses?.size === 0) socket.destroySoon();
    });
  });
  return () => {
    isDraining = true;
    const closed = closeTcp(server);
    const cut = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, timeoutMs);
    for (const [socket, responses] of connections) {
      // Tells the client not to send its next request on this connection.
      for (const response of responses) {
        response.shouldKeepAlive = false;
        response.emit(drainingEvent);
      }
      if (responses.size === 0) socket.destroy();
    }
    return closed.finally(() => clearTimeout(cut));
  };
}

/** Resolves once the last connection is closed. */
function closeTcp(server: Server): Promise<void> {
  return new Promise((resolve) => {
    TcpServer.prototype.close.call(server, () => {
      // All connections are closed; this ends the timer of Node's HTTP server.
      server.close();
      resolve();
    });
  });
}
