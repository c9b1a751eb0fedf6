import { oauthError, type FakeResponse } from './responses';
import { requireMethod, readFormBody, type FakeCall } from './call';
import { findAccount, type FakeWorld } from './world';
import { readLifetime, decodeClaims, verifyFakeToken } from './verify-token';

/** RFC 7523: exchanges an assertion of an account for an access token of the account or of a delegated user. */
export async function handleOauthToken(world: FakeWorld, call: FakeCall): Promise<FakeResponse> {
  requireMethod(call, 'POST');
  const { grant_type: grantType, assertion } = readFormBody(call);
  if (grantType !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    throw oauthError(400, 'unsupported_grant_type', 'The grant type is wrong.');
  }
  if (typeof assertion !== 'string') throw oauthError(400, 'invalid_request', 'The assertion is missing.');
  const { principal, scopes } = await readAssertion(world, assertion);
  const { secret } = world.secrets.issue('access token', {
    principal,
    scopes,
    expiresAtSeconds: world.nowSeconds() + tokenSeconds,
  });
  return { status: 200, body: { access_token: secret, expires_in: tokenSeconds, token_type: 'Bearer' } };
}

/** RFC 7009, except that unknown tokens are rejected. */
export function handleRevocation(world: FakeWorld, call: FakeCall): FakeResponse {
  requireMethod(call, 'POST');
  const token = String(readFormBody(call).token);
  const known = world.secrets.find(token);
  const isRevocable = known?.kind === 'access token' || known?.kind === 'federated token';
  if (!isRevocable || known.isRevoked) throw oauthError(400, 'invalid_token', 'The token is expired or revoked.');
  world.secrets.revoke(token);
  return { status: 200, body: {} };
}

// It does not depend on the lifetime of the assertion.
const tokenSeconds = 3599;

async function readAssertion(
  world: FakeWorld,
  assertion: string,
): Promise<{ readonly principal: string; readonly scopes: readonly string[] }> {
  const account = findAccount(world, String(decodeClaims(assertion).iss));
  if (account === undefined) throw oauthError(400, 'invalid_grant', 'The account does not exist.');
  const { claims, refusal } = await verifyFakeToken(world, assertion, {
    keys: ['cloud', 'exported'],
    issuer: account.email,
    audience: [
      'https://oauth2.googleapis.com/token',
      `https://oauth2.${world.universe}/token`,
      'https://www.googleapis.com/oauth2/v4/token',
    ],
    needsSubject: false,
  });
  if (refusal !== undefined) throw oauthError(400, 'invalid_grant', `The assertion is not valid (${refusal}).`);
  const known = world.secrets.find(assertion);
  if (known?.kind === 'signed jwt' && known.principal !== account.email) {
    throw oauthError(400, 'invalid_grant', 'The assertion was signed by the key of another account.');
  }
  if (!(readLifetime(claims) <= 3600)) {
    throw oauthError(400, 'invalid_grant', 'The assertion must be short-lived: 60 minutes at most.');
  }
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ').filter(Boolean) : [];
  if (scopes.length === 0) throw oauthError(400, 'invalid_scope', 'The assertion names no scope.');
  const principal = typeof claims.sub === 'string' ? claims.sub : account.email;
  if (principal !== account.email && !world.delegatedUsers.includes(principal)) {
    throw oauthError(401, 'unauthorized_client', 'The account is not authorized for this user with these scopes.');
  }
  return { principal, scopes };
}
