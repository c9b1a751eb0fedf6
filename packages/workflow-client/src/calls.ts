import type { Client, ClientPathsWithMethod, FetchOptions, FetchResponse, ParseAs } from 'openapi-fetch/dist/index.mjs';
import type { Paths } from './schemas';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsWith<M extends Method> = ClientPathsWithMethod<Client<Paths>, M>;

/** What a call may be given. Required when a parameter or a body of the operation is. */
type Init<Operation, As extends ParseAs> =
  Partial<FetchOptions<Operation>> extends FetchOptions<Operation>
    ? [init?: FetchOptions<Operation> & { parseAs?: As }]
    : [init: FetchOptions<Operation> & { parseAs?: As }];

interface Answer<Operation extends Record<string, unknown>, As extends ParseAs> {
  readonly data: Extract<
    FetchResponse<Operation, { parseAs: As }, `${string}/${string}`>,
    { readonly error?: never }
  >['data'];
  /** For its headers, such as `ETag`. */
  readonly response: Response;
}

type Call<M extends Method> = <Path extends PathsWith<M>, As extends ParseAs = 'json'>(
  path: Path,
  ...init: Init<Paths[Path][M], As>
) => Promise<Answer<Paths[Path][M] & Record<string, unknown>, As>>;

/** A function for each method. The path is spelled as in the OpenAPI document, with its parameters in braces. */
export interface Calls {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
}
