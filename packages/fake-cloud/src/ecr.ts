import { verifyAwsSignature } from './aws-signature';
import { requireMethod, type FakeCall } from './call';
import { RejectedRequest, type FakeResponse } from './responses';
import type { FakeWorld } from './world';

const lifetimeSeconds = 43_200;

/** The service in the scope of signatures, by the target of the request. */
const services = {
  'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken': 'ecr',
  'SpencerFrontendService.GetAuthorizationToken': 'ecr-public',
} as const;

/** The registries of AWS, private and public: issues what Docker signs in with. */
export function handleEcr(world: FakeWorld, call: FakeCall): FakeResponse {
  requireMethod(call, 'POST');
  const target = String(call.headers['x-amz-target']);
  if (!isTarget(target)) throw rejection('UnknownOperationException', 'The operation is unknown.');
  if (call.headers['content-type'] !== 'application/x-amz-json-1.1' || call.body !== '{}') {
    throw rejection('SerializationException', 'The body is not an empty object.');
  }
  const service = services[target];
  const keys = verifyAwsSignature(world, call, service);
  if (keys === undefined) throw rejection('InvalidSignatureException', 'The request signature does not match.');
  if (keys.expiresAtSeconds <= world.nowSeconds()) throw rejection('ExpiredTokenException', 'The token is expired.');
  const expiresAtSeconds = world.nowSeconds() + lifetimeSeconds;
  const grant = { principal: keys.principal, scopes: [service], expiresAtSeconds };
  const { secret } = world.secrets.issue('registry password', grant);
  const data = { authorizationToken: Buffer.from(`AWS:${secret}`).toString('base64'), expiresAt: expiresAtSeconds };
  return { status: 200, body: { authorizationData: service === 'ecr' ? [data] : data } };
}

function isTarget(text: string): text is keyof typeof services {
  return Object.hasOwn(services, text);
}

function rejection(type: string, message: string): RejectedRequest {
  return new RejectedRequest({ status: 400, body: { __type: type, message } });
}
