import { createApiClient } from '@weir/api-client';
import { contentType, type ClientRequest, type Endpoint, type HttpMethod, type SuccessBody } from '@weir/http-contract';

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

type Call<E extends Endpoint> =
  Partial<ClientRequest<E>> extends ClientRequest<E>
    ? (request?: ClientRequest<E>, options?: CallOptions) => Promise<SuccessBody<E>>
    : (request: ClientRequest<E>, options?: CallOptions) => Promise<SuccessBody<E>>;

/** One function for each endpoint of the contract, under the same name. */
export type ContractClient<Contract extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Contract]: Call<Contract[Name]>;
};

interface LooseRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface LooseAnswer {
  readonly data: unknown;
  readonly response: Response;
}

type LooseClient = Readonly<Record<HttpMethod, (path: string, init: object) => Promise<LooseAnswer>>>;

/**
 * Calls a server and checks its contract: a call rejects with an `ApiError` for a failure, and with a `ZodError` when a
 * success violates the contract.
 */
export function createContractClient<const Contract extends Readonly<Record<string, Endpoint>>>(
  contract: Contract,
  connection: { readonly baseUrl: string; readonly token: string | undefined },
): ContractClient<Contract> {
  const { baseUrl, token } = connection;
  // The type of its paths is that of a document; here the contract gives the types.
  const client: unknown = createApiClient({ baseUrl, token: () => token });
  const calls = Object.entries(contract).map(([name, endpoint]) => [
    name,
    (request: LooseRequest = {}, options: CallOptions = {}) => send(client as LooseClient, endpoint, request, options),
  ]);
  // Object.fromEntries loses which name belongs to which endpoint; the line above pairs them.
  return Object.fromEntries(calls) as ContractClient<Contract>;
}

async function send(
  client: LooseClient,
  { method, path, success }: Endpoint,
  { params, query, body }: LooseRequest,
  { signal, headers }: CallOptions,
): Promise<unknown> {
  const { schema, content } = success;
  const isFile = content?.kind === 'file' || content?.kind === 'bytes';
  const parseAs = schema !== undefined ? 'json' : isFile ? 'arrayBuffer' : 'text';
  const accept = schema !== undefined || content === undefined ? 'application/json' : contentType(content);
  const { data, response } = await client[method](path, {
    params: { path: params, query },
    body,
    parseAs,
    signal,
    headers: { accept, ...headers },
  });
  if (response.status !== success.status) throw new Error(`${method} ${path} was answered ${response.status}.`);
  if (schema !== undefined) return schema.parse(data);
  if (content === undefined) return undefined;
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
