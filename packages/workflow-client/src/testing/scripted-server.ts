import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends the response of one request, or leaves it open. */
export type Script = (response: ServerResponse) => void;

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  stop(): Promise<void>;
}

/** Answers each request with the next of the scripts; the last one is repeated. */
export async function startScriptedServer(...scripts: readonly Script[]): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const script = scripts[Math.min(seen.length, scripts.length - 1)];
      const { method, headers, url = '' } = request;
      seen.push({ method, headers, url: new URL(url, 'http://host'), body: Buffer.concat(chunks).toString() });
      script?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    seen,
    stop: () => stop(server),
  };
}

/** A script that answers with JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
