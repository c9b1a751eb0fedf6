import type { Client, ClientPathsWithMethod, FetchOptions, FetchResponse, ParseAs } from 'openapi-fetch/dist/index.mjs';
// The package's CommonJS build has its default export where interoperation of modules does not look for it.
import createClient from 'openapi-fetch/dist/index.mjs';
import { ApiError } from './api-error';
import { fillPath } from './fill-path';

const defaultTimeoutMs = 30_000;

export interface ApiClientOptions {
  /**
   * The URL up to and including the base path of the API: `http://127.0.0.1:8080/api/v1`, or `/api/v1` of the same
   * page.
   */
  readonly baseUrl: string;
  /** Called before each call; the returned session token or API key is sent as a bearer token. */
  readonly token?: () => string | undefined;
  /** Whether cookies are sent, for sessions of a browser. Default: those of the same origin. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The time limit until a response begins. Default 30 s. */
  readonly timeoutMs?: number;
  /** Whether the time limit includes reading the body of the response. Default false, for streams and large files. */
  readonly timeoutIncludesBody?: boolean;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsWith<Paths extends object, M extends Method> = ClientPathsWithMethod<Client<Paths>, M>;

type Operation<PathItem, M extends Method> =
  PathItem extends Readonly<Record<M, infer Found extends Record<string, unknown>>> ? Found : never;

/** The input of a call. It is required when a parameter or a body of the operation is. */
type Init<Called, As extends ParseAs> =
  Partial<FetchOptions<Called>> extends FetchOptions<Called>
    ? [init?: FetchOptions<Called> & { parseAs?: As }]
    : [init: FetchOptions<Called> & { parseAs?: As }];

/** If a response may be JSON or a file, a caller that does not ask for the file gets JSON. */
type MediaOf<As extends ParseAs> = As extends 'json' ? 'application/json' : `${string}/${string}`;

interface Answer<Called extends Record<string, unknown>, As extends ParseAs> {
  readonly data: Extract<FetchResponse<Called, { parseAs: As }, MediaOf<As>>, { readonly error?: never }>['data'];
  /** The response, which callers need for its headers, such as `ETag`. */
  readonly response: Response;
}

type Call<Paths extends object, M extends Method> = <Path extends PathsWith<Paths, M>, As extends ParseAs = 'json'>(
  path: Path,
  ...init: Init<Operation<Paths[Path], M>, As>
) => Promise<Answer<Operation<Paths[Path], M>, As>>;

/** A function for each method. The path is spelled as in the OpenAPI document, with its parameters in braces. */
export interface ApiClient<Paths extends object> {
  readonly baseUrl: string;
  readonly GET: Call<Paths, 'get'>;
  readonly POST: Call<Paths, 'post'>;
  readonly PUT: Call<Paths, 'put'>;
  readonly PATCH: Call<Paths, 'patch'>;
  readonly DELETE: Call<Paths, 'delete'>;
}

/**
 * Calls of an API by method and path, typed by its OpenAPI document. A call resolves with the body and the response of a
 * success. It rejects with {@link ApiError} for any other response, and otherwise with what `fetch` throws: a `TypeError`
 * when the server cannot be reached, the reason of the signal when it is aborted.
 */
export function createApiClient<Paths extends object>(options: ApiClientOptions): ApiClient<Paths> {
  const { baseUrl, credentials = 'same-origin', headers = {} } = options;
  const calls: unknown = createClient<Paths>({
    baseUrl,
    credentials,
    pathSerializer: fillPath,
    headers,
    fetch: createCheckedFetch(options),
  });
  // The fetch above rejects on failures, so a result always has its data and never an error.
  return { ...(calls as ApiClient<Paths>), baseUrl };
}

function createCheckedFetch(options: ApiClientOptions) {
  const { token, fetch: send = (request) => fetch(request), timeoutMs = defaultTimeoutMs } = options;
  const limit = options.timeoutIncludesBody === true ? limitCall : limitHeaders;
  return async (request: Request): Promise<Response> => {
    const credential = token?.();
    if (credential !== undefined) request.headers.set('authorization', `Bearer ${credential}`);
    const response = await limit(request, send, timeoutMs);
    if (!response.ok) throw new ApiError(response, await response.text());
    return response;
  };
}

type Send = (request: Request) => Promise<Response>;

function limitCall(request: Request, send: Send, timeoutMs: number): Promise<Response> {
  return send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }));
}

async function limitHeaders(request: Request, send: Send, timeoutMs: number): Promise<Response> {
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
