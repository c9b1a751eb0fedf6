import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from '../../mcp/create-mcp-server';
import type { StoreCommand } from '../shared/program-host';
import { withApi } from '../shared/with-api';

/**
 * Serves the tools on standard input and output until the input ends, for the server that `--context` names or for
 * this installation. Returns the exit code.
 */
export function serveMcpOverStdio(command: StoreCommand): Promise<number> {
  return withApi(command, async (client) => {
    const connection = serveStdio(() => createMcpServer({ client, version: command.version }), {
      onerror: (error) => command.printError(`weir: ${error.message}`),
    });
    try {
      if (!process.stdin.readableEnded) await once(process.stdin, 'end');
    } finally {
      await connection.close();
    }
    return 0;
  });
}
