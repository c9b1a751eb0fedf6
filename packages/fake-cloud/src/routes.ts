import type { IncomingMessage } from 'node:http';
import type { FakeBase } from './fake-cloud';
import type { FakeService } from './fake-types';
import type { FakeWorld } from './world';

export interface FakeRoute {
  readonly service: FakeService;
  readonly base: FakeBase | undefined;
  /** The host without the port. */
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The request target, for redirects within the host. */
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
  // The token endpoint of older clients.
  ['www', /^\/oauth2\/v4\/token$/, 'oauth'],
  ['storage', /^\/storage\/v1\/b$/, 'api'],
  ['cloudresourcemanager', /^\/v1\/projects\/\d+$/, 'api'],
  ['aws', /^\/$/, 'aws'],
  ['ecr', /^\/$/, 'ecr'],
  ['azure', /^\/[^/]+\/oauth2\/v2\.0\/token$/, 'azure'],
  ['azure', /^\/[^/]+\/(discovery\/instance|v2\.0\/\.well-known\/openid-configuration)$/, 'azureMetadata'],
];

/** Hosts outside the universe, by the pattern of their names. */
const otherHosts: readonly (readonly [RegExp, FakeBase])[] = [
  [/^sts\.(?:[a-z0-9-]+\.)?amazonaws\.com$/, 'aws'],
  [/^(?:api\.ecr(?:-public)?|ecr-fips)\.[a-z0-9-]+\.amazonaws\.com$/, 'ecr'],
  [/^login\.(?:microsoftonline\.(?:com|us|de)|chinacloudapi\.cn)$/, 'azure'],
];

/** The certificate of the TLS server names these hosts too. */
export const otherHostNames = [
  'sts.amazonaws.com',
  'sts.eu-west-1.amazonaws.com',
  'api.ecr.eu-west-1.amazonaws.com',
  'api.ecr-public.us-east-1.amazonaws.com',
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.microsoftonline.de',
  'login.chinacloudapi.cn',
];

export function isOtherHost(host: string): boolean {
  return otherHosts.some(([pattern]) => pattern.test(host));
}

const names = [
  'issuer',
  'sts',
  'iamcredentials',
  'oauth2',
  'www',
  'storage',
  'cloudresourcemanager',
  'aws',
  'ecr',
  'azure',
] as const;

/** The base URLs of the services on the plain HTTP server. */
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
    aws: at('aws'),
    ecr: at('ecr'),
    azure: at('azure'),
  };
}

/** Finds the route by host name on the TLS server, by the first path segment on the plain server. */
export function findRoute(request: IncomingMessage, world: FakeWorld): FakeRoute {
  const target = request.url ?? '/';
  const { hostname: host, pathname, searchParams: query } = new URL(target, `http://${request.headers.host ?? 'none'}`);
  const suffix = `.${world.universe}`;
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(pathname) ?? [];
  const other = otherHosts.find(([pattern]) => pattern.test(host))?.[1];
  const isHost = other !== undefined || host.endsWith(suffix);
  const [name, path] = isHost ? [other ?? host.slice(0, -suffix.length), pathname] : [first, rest || '/'];
  const base = names.find((known) => known === name);
  const service = services.find(([of, pattern]) => of === base && pattern.test(path))?.[2] ?? 'none';
  return { service, base, host, path: base === undefined ? pathname : path, query, target };
}
