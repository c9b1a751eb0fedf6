import { randomUUID } from 'node:crypto';
import { apiRejection, type FakeResponse } from './responses';
import { readBearer, requireMethod, type FakeCall } from './call';
import type { FakeClaims } from './fake-types';
import { fakeRsaKey, signFakeToken } from './rsa-keys';
import type { FakeWorld } from './world';

/** Issues an OIDC token for the requested audience to a caller with the request token. */
export function handleOidcToken(world: FakeWorld, call: FakeCall): FakeResponse {
  requireMethod(call, 'GET');
  if (readBearer(call.headers) !== world.requestToken) throw apiRejection(401, 'The request token is unknown.');
  const audiences = call.query.getAll('audience');
  if (audiences.length > 1) throw apiRejection(400, 'More than one audience was given.');
  const issuedAt = world.nowSeconds() + readClockError(call);
  const expiresAtSeconds = issuedAt + world.oidcLifetimeSeconds;
  const claims: FakeClaims = {
    ...exampleClaims,
    iss: world.issuer,
    aud: audiences[0] ?? 'https://ci.example/example-org',
    jti: randomUUID(),
    nbf: issuedAt - 300,
    iat: issuedAt,
    exp: expiresAtSeconds,
    ...world.claims,
  };
  const grant = { principal: String(claims.sub), scopes: [], expiresAtSeconds };
  const { secret } = world.secrets.add('oidc token', signFakeToken('issuer', claims), grant);
  return { status: 200, body: { count: secret.length, value: secret } };
}

/** The public keys of the issuer, and its discovery document. */
export function handleJwks(world: FakeWorld, call: FakeCall): FakeResponse {
  requireMethod(call, 'GET');
  if (call.path.endsWith('/jwks')) return { status: 200, body: { keys: [fakeRsaKey('issuer').publicJwk] } };
  const { issuer } = world;
  return {
    status: 200,
    body: {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks`,
      subject_types_supported: ['public'],
      response_types_supported: ['id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
  };
}

function readClockError({ fault }: FakeCall): number {
  if (fault.kind === 'token from the future') return 3600;
  return fault.kind === 'expired token' ? -3600 : 0;
}

const exampleClaims: FakeClaims = {
  sub: 'repo:example-org/example-repo:ref:refs/heads/main',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  ref_protected: 'true',
  sha: '0123456789abcdef0123456789abcdef01234567',
  repository: 'example-org/example-repo',
  repository_id: '1001',
  repository_owner: 'example-org',
  repository_owner_id: '2002',
  repository_visibility: 'private',
  enterprise: 'example-enterprise',
  enterprise_id: '6006',
  run_id: '3003',
  run_number: '7',
  run_attempt: '1',
  check_run_id: '5005',
  actor: 'octocat',
  actor_id: '4004',
  workflow: 'deploy',
  workflow_ref: 'example-org/example-repo/.github/workflows/deploy.yml@refs/heads/main',
  workflow_sha: '0123456789abcdef0123456789abcdef01234567',
  job_workflow_ref: 'example-org/example-repo/.github/workflows/deploy.yml@refs/heads/main',
  job_workflow_sha: '0123456789abcdef0123456789abcdef01234567',
  head_ref: '',
  base_ref: '',
  event_name: 'push',
  runner_environment: 'github-hosted',
};
