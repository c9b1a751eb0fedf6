// The package's CommonJS build has its default export where interoperation of modules does not look for it.
import createClient from 'openapi-fetch/dist/index.mjs';
import { ApiError } from './api-error';
import type { Calls } from './calls';
import { fillPath } from './fill-path';
import type { Paths } from './schemas';

const defaultTimeoutMs = 30_000;

export interface WorkflowClientOptions {
  /** Up to and including the base path of the API: `http://127.0.0.1:8080/api/v1`, or `/api/v1` of the same page. */
  readonly baseUrl: string;
  /** Asked before each call; its text, a session token or an API key, is sent as a bearer token. */
  readonly token?: () => string | undefined;
  /** Whether cookies are sent, for sessions of a browser. Default: those of the same origin. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Until a response begins. Default 30 s. */
  readonly timeoutMs?: number;
}

export interface WorkflowClient extends Calls {
  readonly baseUrl: string;
}

/**
 * Calls of the API by method and path. A call resolves with the body and the response of a success. It rejects with
 * {@link ApiError} for any other response, and otherwise with what `fetch` throws: a `TypeError` when the server cannot
 * be reached, the reason of the signal when it is aborted.
 */
export function createWorkflowClient(options: WorkflowClientOptions): WorkflowClient {
  const { baseUrl, credentials = 'same-origin' } = options;
  const calls: unknown = createClient<Paths>({
    baseUrl,
    credentials,
    pathSerializer: fillPath,
    // A page of another origin cannot send it, which tells the server that a GET with an effect is not an image of one.
    headers: { 'x-requested-with': 'weir' },
    fetch: createCheckedFetch(options),
  });
  // Only successes get through the fetch above, so a result always has its data and never an error.
  return { ...(calls as Calls), baseUrl };
}

function createCheckedFetch({ token, fetch: send = (request) => fetch(request), timeoutMs }: WorkflowClientOptions) {
  return async (request: Request): Promise<Response> => {
    const credential = token?.();
    if (credential !== undefined) request.headers.set('authorization', `Bearer ${credential}`);
    const response = await withTimeout(request, send, timeoutMs ?? defaultTimeoutMs);
    if (!response.ok) throw new ApiError(response, await response.text());
    return response;
  };
}

async function withTimeout(
  request: Request,
  send: (request: Request) => Promise<Response>,
  timeoutMs: number,
): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DOMException(`There was no response within ${timeoutMs} ms.`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await send(new Request(request, { signal: AbortSignal.any([request.signal, timeout.signal]) }));
  } finally {
    clearTimeout(timer);
  }
}
