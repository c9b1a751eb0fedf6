import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttableNetwork {
  /** The same server, by this network. */
  readonly url: string;
  /** Ends all connections and refuses others. */
  readonly cut: () => void;
  readonly restore: () => void;
  readonly stop: () => Promise<void>;
}

/** Puts a network between a browser and the server; a browser's own switch leaves shared workers online. */
export async function createCuttableNetwork(serverUrl: string): Promise<CuttableNetwork> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The other side may have gone; its end is passed on.
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((incoming) => {
    if (isCut) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port), target.hostname);
    keep(incoming);
    keep(outgoing);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('close', () => incoming.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: serverUrl.replace(`:${target.port}`, `:${port}`),
    cut,
    restore: () => {
      isCut = false;
    },
    stop: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
