import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from '../../mcp/create-mcp-server';
import type { StoreCommand } from '../shared/program-host';
import { withApi } from '../shared/with-api';

/** Longer than a call of the API may take. */
const answerDeadlineMs = 35_000;

/**
 * Serves the tools on standard input and output, for the server that `--context` names or for this installation. When
 * the input ends, the calls in flight are answered first, for at most 35 s. Returns the exit code.
 */
export function serveMcpOverStdio(command: StoreCommand): Promise<number> {
  return withApi(command, async (client) => {
    const requests = createOpenRequests();
    // The library drops the calls in flight when its input ends, so the end is kept from it until they are answered.
    const input = new PassThrough({ flush: (done) => void requests.whenAnswered().then(() => done()) });
    const connection = serveStdio(() => createMcpServer({ client, version: command.version }), {
      transport: requests.watch(new StdioServerTransport(input)),
      onerror: (error) => command.printError(`weir: ${error.message}`),
    });
    try {
      process.stdin.once('error', (error) => input.destroy(error)).pipe(input);
      await once(input, 'end');
    } finally {
      await connection.close();
    }
    return 0;
  });
}

/** The requests of a connection that are neither answered nor cancelled. */
function createOpenRequests() {
  const open = new Set<unknown>();
  let onAnswered: () => void = () => undefined;

  function settle(id: unknown): void {
    open.delete(id);
    if (open.size === 0) onAnswered();
  }

  function receive(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    // A subscription is open for as long as its connection is.
    if ('id' in message && message.method !== 'subscriptions/listen') open.add(message.id);
    if (message.method === 'notifications/cancelled') settle(message.params?.requestId);
  }

  return {
    /** Returns the transport that the library is to use in place of this one. */
    watch(wire: Transport): Transport {
      const watched: Transport = {
        start: () => {
          wire.onclose = () => watched.onclose?.();
          wire.onerror = (error) => watched.onerror?.(error);
          wire.onmessage = (message, extra) => {
            receive(message);
            watched.onmessage?.(message, extra);
          };
          return wire.start();
        },
        send: async (message, options) => {
          try {
            await wire.send(message, options);
          } finally {
            if (!('method' in message)) settle(message.id);
          }
        },
        close: () => wire.close(),
      };
      return watched;
    },

    /** Resolves once no request is open, or after the deadline. */
    async whenAnswered(): Promise<void> {
      // The last bytes of the input are delivered in this turn.
      await nextTurn();
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, answerDeadlineMs);
        onAnswered = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
