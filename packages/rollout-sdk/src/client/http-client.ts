import { Agent, fetch as undiciFetch } from 'undici';

/** One pool of kept connections, which the client and all episodes of a process share. */
export interface HttpClient {
  readonly fetch: typeof fetch;
  /** Closes the connections once their requests are answered. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Connections to one host. Default 256. */
  readonly connections?: number;
  /** How long an idle connection is kept. Default 60 s. */
  readonly keepAliveMs?: number;
}

export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const dispatcher = new Agent({
    connections: options.connections ?? 256,
    keepAliveTimeout: options.keepAliveMs ?? 60_000,
    // Answers of a model take as long as they take; calls are bounded by their signals.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // The types of undici and of Node describe the same functions, but are not assignable to each other.
  const send = undiciFetch as unknown as (input: unknown, init: object) => Promise<Response>;
  return {
    fetch: (input, init) => send(input, { ...init, dispatcher }),
    close: () => dispatcher.close(),
  };
}
