import { oauthRefusal, type FakeAnswer } from './fake-answers';
import { demandMethod, readFormBody, type FakeCall } from './fake-call';
import { findAccount, type FakeWorld } from './fake-world';
import { lifetimeOf, peekClaims, verifyFakeToken } from './verify-fake-token';

/** RFC 7523: an assertion of an account for an access token, of the account or of a user it may act as. */
export async function answerOauth(world: FakeWorld, call: FakeCall): Promise<FakeAnswer> {
  demandMethod(call, 'POST');
  const { grant_type: grantType, assertion } = readFormBody(call);
  if (grantType !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    throw oauthRefusal(400, 'unsupported_grant_type', 'The grant type is wrong.');
  }
  if (typeof assertion !== 'string') throw oauthRefusal(400, 'invalid_request', 'The assertion is missing.');
  const { principal, scopes } = await readAssertion(world, assertion);
  const { secret } = world.secrets.issue('access token', {
    principal,
    scopes,
    expiresAtSeconds: world.nowSeconds() + tokenSeconds,
  });
  return { status: 200, body: { access_token: secret, expires_in: tokenSeconds, token_type: 'Bearer' } };
}

/** RFC 7009, but for the refusal of tokens that were never issued. */
export function answerRevoke(world: FakeWorld, call: FakeCall): FakeAnswer {
  demandMethod(call, 'POST');
  const token = String(readFormBody(call).token);
  const known = world.secrets.find(token);
  const isRevocable = known?.kind === 'access token' || known?.kind === 'federated token';
  if (!isRevocable || known.isRevoked) throw oauthRefusal(400, 'invalid_token', 'The token is expired or revoked.');
  world.secrets.revoke(token);
  return { status: 200, body: {} };
}

// Whatever lifetime the assertion has.
const tokenSeconds = 3599;

async function readAssertion(
  world: FakeWorld,
  assertion: string,
): Promise<{ readonly principal: string; readonly scopes: readonly string[] }> {
  const account = findAccount(world, String(peekClaims(assertion).iss));
  if (account === undefined) throw oauthRefusal(400, 'invalid_grant', 'The account does not exist.');
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
  if (refusal !== undefined) throw oauthRefusal(400, 'invalid_grant', `The assertion is not valid (${refusal}).`);
  const known = world.secrets.find(assertion);
  if (known?.kind === 'signed jwt' && known.principal !== account.email) {
    throw oauthRefusal(400, 'invalid_grant', 'The assertion was signed by the key of another account.');
  }
  if (!(lifetimeOf(claims) <= 3600)) {
    throw oauthRefusal(400, 'invalid_grant', 'The assertion must be short-lived: 60 minutes at most.');
  }
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ').filter(Boolean) : [];
  if (scopes.length === 0) throw oauthRefusal(400, 'invalid_scope', 'The assertion names no scope.');
  const principal = typeof claims.sub === 'string' ? claims.sub : account.email;
  if (principal !== account.email && !world.delegatedUsers.includes(principal)) {
    throw oauthRefusal(401, 'unauthorized_client', 'The account may not act as that user with these scopes.');
  }
  return { principal, scopes };
}
