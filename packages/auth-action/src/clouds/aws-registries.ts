import type { ServiceCall } from '../cloud/service-call';
import type { AwsKeys } from '../inputs/cloud-settings';
import { parseJsonObject, toJsonObject } from '../runner/json-object';
import { signRequest } from './aws-signature';
import type { CloudContext, RegistrySignIn } from './cloud-sign-in';

interface EcrService {
  readonly host: string;
  readonly region: string;
  /** In the scope of signatures. */
  readonly name: string;
  readonly target: string;
}

type Context = Pick<CloudContext, 'send' | 'mask' | 'malformed' | 'now'>;

/** Requests what Docker signs in to each registry with, once per region. It is valid for 12 hours at most. */
export async function signInToRegistries(
  context: Context,
  keys: AwsKeys,
  registries: readonly string[],
): Promise<readonly RegistrySignIn[]> {
  const signIns = new Map<string, string>();
  for (const registry of registries) {
    const service = findService(registry);
    const auth = signIns.get(service.host) ?? (await requestAuth(context, keys, service));
    signIns.set(service.host, auth);
  }
  return registries.map((host) => ({ host, auth: signIns.get(findService(host).host) ?? '' }));
}

/** The public registry is in one region. */
function findService(registry: string): EcrService {
  const [, fips = '', region, domain = ''] = /\.ecr(-fips)?\.([a-z0-9-]+)\.(.+)$/.exec(registry) ?? [];
  if (region === undefined) {
    const target = 'SpencerFrontendService.GetAuthorizationToken';
    return { host: 'api.ecr-public.us-east-1.amazonaws.com', region: 'us-east-1', name: 'ecr-public', target };
  }
  const target = 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken';
  const host = fips === '' ? `api.ecr.${region}.${domain}` : `ecr-fips.${region}.${domain}`;
  return { host, region, name: 'ecr', target };
}

/** The base64 text of user and password, as in the configuration of Docker. */
async function requestAuth(context: Context, keys: AwsKeys, service: EcrService): Promise<string> {
  const url = new URL(`https://${service.host}/`);
  const headers = { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': service.target };
  const { region, name } = service;
  const call: ServiceCall = {
    service: 'aws_call',
    kind: 'GetAuthorizationToken',
    method: 'POST',
    url,
    headers: signRequest({ url, headers, body: '{}' }, { keys, region, service: name, now: context.now() }),
    body: '{}',
    secrets: [keys.secretAccessKey, keys.sessionToken ?? ''],
  };
  const auth = readAuth((await context.send(call)).body);
  if (auth === undefined) throw context.malformed(call, 'has no token in "authorizationToken"');
  context.mask(auth);
  const [, password = ''] = /^[^:]+:(.*)$/s.exec(Buffer.from(auth, 'base64').toString('utf8')) ?? [];
  context.mask(password);
  return auth;
}

/** The private registries answer with a list, the public one with an object. */
function readAuth(body: string): string | undefined {
  const data = parseJsonObject(body)?.authorizationData;
  const token = toJsonObject(Array.isArray(data) ? data[0] : data)?.authorizationToken;
  return typeof token === 'string' && /^[\w+/=-]+$/.test(token) ? token : undefined;
}
