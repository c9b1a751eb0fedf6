import { apiRejection, type FakeResponse } from './responses';
import { readBearer, requireMethod, type FakeCall } from './call';
import type { FakeGrant } from './secrets';
import { readSelfSigned } from './self-signed-jwt';
import type { FakeWorld } from './world';

/** The APIs that specs call with a token: list buckets, get a project. */
export function handleApi(world: FakeWorld, call: FakeCall): FakeResponse {
  requireMethod(call, 'GET');
  const grant = findGrant(world, call);
  if (grant === undefined) throw apiRejection(401, 'The bearer token is unknown, expired or revoked.');
  if (call.base === 'cloudresourcemanager') {
    const projectNumber = call.path.split('/').at(-1);
    return { status: 200, body: { projectNumber, projectId: 'example-project', lifecycleState: 'ACTIVE' } };
  }
  if (!grant.scopes.some((scope) => storageScope.test(scope)))
    throw apiRejection(403, 'The bearer token lacks the scope.');
  const items = world.buckets.map((name) => ({ kind: 'storage#bucket', id: name, name }));
  return { status: 200, body: { kind: 'storage#buckets', items } };
}

function findGrant(world: FakeWorld, call: FakeCall): FakeGrant | undefined {
  const bearer = readBearer(call.headers) ?? '';
  const known = world.secrets.find(bearer);
  const isToken = known?.kind === 'access token' || known?.kind === 'federated token';
  if (!isToken) return readSelfSigned(world, bearer, `https://${call.base ?? ''}.${world.universe}/`);
  return known.isRevoked || known.expiresAtSeconds <= world.nowSeconds() ? undefined : known;
}

const storageScope = /\/auth\/(cloud-platform(\.read-only)?|devstorage\.\w+)$/;
