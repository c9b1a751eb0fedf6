import type { Client } from '@weir/http-contract';
import type { ErrorResponse, rolloutContract } from '@weir/rollout-contract';
import { baseAddress, isAborted, ServerUnreachable } from '@weir/ui-kit/app';
import { operations, type OperationName } from './operations';

/** The address of the proxy, above that of the viewer. */
export const proxyAddress = new URL('..', baseAddress).href.replace(/\/$/, '');

/** An answer that says what has failed. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly status: number;
  readonly requestId: string | undefined;

  constructor(status: number, { message, requestId }: Pick<ErrorResponse, 'message' | 'requestId'>) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** Parameters of an operation, as its address and body have them. */
export interface CallRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

type ViewerContract = Pick<typeof rolloutContract, OperationName>;

/** The operations of the proxy, typed by the contract. The cookie of the session is the credential. */
export const api = Object.fromEntries(
  (Object.keys(operations) as OperationName[]).map((name) => [
    name,
    async (request: CallRequest = {}, options: CallOptions = {}) => {
      const text = await (await send(name, request, options)).text();
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    },
  ]),
  // The names are those of the contract, and the proxy answers each as the contract says.
) as unknown as Client<ViewerContract>;

/** Sends the request of an operation. Rejects with `ProxyError` unless it succeeds. */
export async function send(name: OperationName, request: CallRequest, options: CallOptions): Promise<Response> {
  const { method } = operations[name];
  const { body } = request;
  const answer = await fetch(addressOf(name, request), {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (!answer.ok) throw await readError(answer);
  return answer;
}

/** The address of an operation, with its parameters. */
export function addressOf(name: OperationName, { params = {}, query = {} }: Omit<CallRequest, 'body'> = {}): string {
  const path = operations[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(params[key])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return `${proxyAddress}${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
}

async function readError(answer: Response): Promise<ProxyError> {
  try {
    return new ProxyError(answer.status, (await answer.json()) as ErrorResponse);
  } catch {
    // Something between the proxy and the page may answer in words of its own.
    return new ProxyError(answer.status, { message: `The proxy answered ${answer.status}.` });
  }
}

/** Resolves with an answer. Rejects with what the proxy says, or with `ServerUnreachable` where it says nothing. */
export async function ask<Data>(answer: Promise<Data>): Promise<Data> {
  try {
    return await answer;
  } catch (error) {
    const isSaid = error instanceof ProxyError || isAborted(error);
    throw isSaid ? error : new ServerUnreachable('No answer came.', { cause: error });
  }
}
