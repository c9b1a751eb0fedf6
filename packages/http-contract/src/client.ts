import type { z } from 'zod';
import { ApiError } from './api-error';
import { contentType } from './content-type';
import type { ClientRequest, Endpoint, SuccessBody } from './endpoint';
import { fillPath } from './endpoint-path';

const defaultTimeoutMs = 30_000;

export interface ClientOptions {
  /** Up to and including the API's base path: `http://127.0.0.1:8080/api/v1`. */
  readonly baseUrl: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Asked before each call; its text is sent as a bearer token. */
  readonly token?: () => string | undefined;
  /** For one call, answer included. Default 30 s. */
  readonly timeoutMs?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

type Call<E extends Endpoint> =
  Partial<ClientRequest<E>> extends ClientRequest<E>
    ? (request?: ClientRequest<E>, options?: CallOptions) => Promise<SuccessBody<E>>
    : (request: ClientRequest<E>, options?: CallOptions) => Promise<SuccessBody<E>>;

/** One function for each endpoint of the contract, under the same name. */
export type Client<Contract extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Contract]: Call<Contract[Name]>;
};

interface LooseRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * A typed client over `fetch`. A call resolves with the parsed success body and rejects with {@link ApiError} for any
 * other status, with a `ZodError` when the answer is not what the contract says, and with what `fetch` throws otherwise.
 */
export function createClient<const Contract extends Readonly<Record<string, Endpoint>>>(
  contract: Contract,
  options: ClientOptions,
): Client<Contract> {
  const calls = Object.entries(contract).map(([name, endpoint]) => [
    name,
    (request: LooseRequest = {}, callOptions: CallOptions = {}) => send(endpoint, request, callOptions, options),
  ]);
  // Object.fromEntries loses which name belongs to which endpoint; the line above pairs them.
  return Object.fromEntries(calls) as Client<Contract>;
}

async function send(
  endpoint: Endpoint,
  request: LooseRequest,
  call: CallOptions,
  options: ClientOptions,
): Promise<unknown> {
  const token = options.token?.();
  const timeout = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs);
  const response = await (options.fetch ?? fetch)(buildUrl(endpoint, request, options.baseUrl), {
    method: endpoint.method,
    headers: {
      accept: acceptedType(endpoint),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...call.headers,
    },
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const isExpected = response.status === endpoint.success.status;
  if (!isExpected) throw ApiError.fromResponse(response, await response.text());
  const { schema, content } = endpoint.success;
  if (schema === undefined && (content?.kind === 'file' || content?.kind === 'bytes')) {
    return new Uint8Array(await response.arrayBuffer());
  }
  const text = await response.text();
  return schema === undefined && content !== undefined ? text : parseBody(schema, text);
}

function acceptedType({ success: { schema, content } }: Endpoint): string {
  if (schema !== undefined || content === undefined) return 'application/json';
  return contentType(content);
}

function buildUrl(endpoint: Endpoint, request: LooseRequest, baseUrl: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return `${baseUrl}${fillPath(endpoint.path, request.params ?? {})}${search}`;
}

function parseBody(schema: z.ZodType | undefined, text: string): unknown {
  if (schema === undefined) return undefined;
  return schema.parse(text === '' ? undefined : JSON.parse(text));
}
