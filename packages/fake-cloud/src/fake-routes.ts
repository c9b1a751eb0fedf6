import type { IncomingMessage } from 'node:http';
import type { FakeBase, FakeService } from './fake-cloud-types';
import type { FakeWorld } from './fake-world';

export interface FakeRoute {
  readonly service: FakeService;
  readonly base: FakeBase | undefined;
  /** Without the port. */
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** As it was asked for, for a redirect to the same place. */
  readonly target: string;
}

const services: readonly (readonly [FakeBase, RegExp, FakeService])[] = [
  ['issuer', /^\/oidc\/token$/, 'oidc'],
  ['issuer', /^\/\.well-known\/(jwks|openid-configuration)$/, 'jwks'],
  ['sts', /^\/v1\/token$/, 'sts'],
  ['sts', /^\/v1\/introspect$/, 'introspect'],
  ['sts', /^\/v1\/revoke$/, 'revoke'],
  ['iamcredentials', /^\/v1\//, 'iam'],
  ['oauth2', /^\/token$/, 'oauth'],
  ['oauth2', /^\/revoke$/, 'revoke'],
  // Where older clients redeem assertions.
  ['www', /^\/oauth2\/v4\/token$/, 'oauth'],
  ['storage', /^\/storage\/v1\/b$/, 'api'],
  ['cloudresourcemanager', /^\/v1\/projects\/\d+$/, 'api'],
];

const names = ['issuer', 'sts', 'iamcredentials', 'oauth2', 'www', 'storage', 'cloudresourcemanager'] as const;

/** Where each service is on the plain port. */
export function fakeBases(url: string): Readonly<Record<FakeBase, string>> {
  const at = (name: FakeBase): string => `${url}/${name}`;
  return {
    issuer: at('issuer'),
    sts: at('sts'),
    iamcredentials: at('iamcredentials'),
    oauth2: at('oauth2'),
    www: at('www'),
    storage: at('storage'),
    cloudresourcemanager: at('cloudresourcemanager'),
  };
}

/** By the host on the TLS front, by the first part of the path on the loopback address. */
export function routeOf(request: IncomingMessage, world: FakeWorld): FakeRoute {
  const target = request.url ?? '/';
  const { hostname: host, pathname, searchParams: query } = new URL(target, `http://${request.headers.host ?? 'none'}`);
  const suffix = `.${world.universe}`;
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(pathname) ?? [];
  const [name, path] = host.endsWith(suffix) ? [host.slice(0, -suffix.length), pathname] : [first, rest];
  const base = names.find((known) => known === name);
  const service = services.find(([of, pattern]) => of === base && pattern.test(path))?.[2] ?? 'none';
  return { service, base, host, path: base === undefined ? pathname : path, query, target };
}
