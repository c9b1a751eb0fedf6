import { startLoopbackServer, type LoopbackServer, type Reply, type startTlsServer } from './loopback-server';

/** Starts servers that are closed after each case, over HTTP by default. */
export function useLoopbackServers(): (reply: Reply, startServer?: typeof startTlsServer) => Promise<LoopbackServer> {
  const servers: LoopbackServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (reply, startServer = startLoopbackServer) => {
    const server = await startServer(reply);
    servers.push(server);
    return server;
  };
}

export const httpDate = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toUTCString();

export const reset: Reply = (response) => response.socket?.resetAndDestroy();

export const truncatedBody: Reply = (response) => {
  response.writeHead(200, { 'Content-Length': '100' });
  response.write('{"access', () => response.destroy());
};

export const replyText =
  (status: number, headers: Record<string, string>, body = ''): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** Each reply answers one request; the last one answers all others. */
export const replyInOrder =
  (...replies: readonly Reply[]): Reply =>
  (response, request, number) =>
    replies[Math.min(number, replies.length) - 1]?.(response, request, number);
