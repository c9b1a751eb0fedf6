import { createApiClient, fillPath } from '@weir/api-client';
import type { Paths } from '@weir/rollout-contract/paths';
import { baseAddress } from '@weir/ui-kit/app';

/** The address of the proxy, above that of the viewer. */
export const proxyAddress = new URL('..', baseAddress).href.replace(/\/$/, '');

/** The operations of the proxy. The cookie of the session is the credential. */
export const api = createApiClient<Paths>({ baseUrl: proxyAddress });

interface Parameters {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
}

/** The address of an operation, for what is not asked by the client. */
export function addressOf(operation: keyof Paths, { path = {}, query = {} }: Parameters = {}): string {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  return `${proxyAddress}${fillPath(operation, path)}${search.size === 0 ? '' : `?${search.toString()}`}`;
}
