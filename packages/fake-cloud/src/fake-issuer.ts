import { randomUUID } from 'node:crypto';
import { apiRefusal, type FakeAnswer } from './fake-answers';
import { bearerOf, demandMethod, type FakeCall } from './fake-call';
import type { FakeClaims } from './fake-cloud-types';
import { fakeRsaKey, signFakeToken } from './fake-keys';
import type { FakeWorld } from './fake-world';

/** A token of the job for the audience that is asked for, as the CI gives it to whoever has the request token. */
export function answerOidc(world: FakeWorld, call: FakeCall): FakeAnswer {
  demandMethod(call, 'GET');
  if (bearerOf(call.headers) !== world.requestToken) throw apiRefusal(401, 'The request token is not known.');
  const audiences = call.query.getAll('audience');
  if (audiences.length > 1) throw apiRefusal(400, 'More than one audience was given.');
  const issuedAt = world.nowSeconds() + clockErrorOf(call);
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
  const { secret } = world.secrets.keep('oidc token', signFakeToken('issuer', claims), grant);
  return { status: 200, body: { count: secret.length, value: secret } };
}

/** The issuer's public keys, and the document that points at them. */
export function answerJwks(world: FakeWorld, call: FakeCall): FakeAnswer {
  demandMethod(call, 'GET');
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

function clockErrorOf({ fault }: FakeCall): number {
  if (fault.kind === 'token from the future') return 3600;
  return fault.kind === 'expired token' ? -3600 : 0;
}

const exampleClaims: FakeClaims = {
  sub: 'repo:example-org/example-repo:ref:refs/heads/main',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  sha: '0123456789abcdef0123456789abcdef01234567',
  repository: 'example-org/example-repo',
  repository_id: '1001',
  repository_owner: 'example-org',
  repository_owner_id: '2002',
  repository_visibility: 'private',
  run_id: '3003',
  run_number: '7',
  run_attempt: '1',
  actor: 'octocat',
  actor_id: '4004',
  workflow: 'deploy',
  workflow_ref: 'example-org/example-repo/.github/workflows/deploy.yml@refs/heads/main',
  job_workflow_ref: 'example-org/example-repo/.github/workflows/deploy.yml@refs/heads/main',
  head_ref: '',
  base_ref: '',
  event_name: 'push',
  runner_environment: 'github-hosted',
};
