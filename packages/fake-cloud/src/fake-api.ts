import { apiRefusal, type FakeAnswer } from './fake-answers';
import { bearerOf, demandMethod, type FakeCall } from './fake-call';
import type { FakeGrant } from './fake-secrets';
import { readSelfSigned } from './fake-self-signed';
import type { FakeWorld } from './fake-world';

/** Just enough of what jobs do with a token: list buckets, and ask for the id of a project. */
export function answerApi(world: FakeWorld, call: FakeCall): FakeAnswer {
  demandMethod(call, 'GET');
  const grant = grantOf(world, call);
  if (grant === undefined) throw apiRefusal(401, 'The bearer is not a token of this cloud, or expired, or revoked.');
  if (call.base === 'cloudresourcemanager') {
    const projectNumber = call.path.split('/').at(-1);
    return { status: 200, body: { projectNumber, projectId: 'example-project', lifecycleState: 'ACTIVE' } };
  }
  if (!grant.scopes.some((scope) => storageScope.test(scope))) throw apiRefusal(403, 'The bearer lacks the scope.');
  const items = world.buckets.map((name) => ({ kind: 'storage#bucket', id: name, name }));
  return { status: 200, body: { kind: 'storage#buckets', items } };
}

function grantOf(world: FakeWorld, call: FakeCall): FakeGrant | undefined {
  const bearer = bearerOf(call.headers) ?? '';
  const known = world.secrets.find(bearer);
  const isToken = known?.kind === 'access token' || known?.kind === 'federated token';
  if (!isToken) return readSelfSigned(world, bearer, `https://${call.base ?? ''}.${world.universe}/`);
  return known.isRevoked || known.expiresAtSeconds <= world.nowSeconds() ? undefined : known;
}

const storageScope = /\/auth\/(cloud-platform(\.read-only)?|devstorage\.\w+)$/;
