import { oauthError, type FakeResponse } from './responses';
import { contentType, requireMethod, readFormBody, readJsonBody, type FakeCall, type JsonObject } from './call';
import type { FakeClaims } from './fake-types';
import type { FakeWorld } from './world';
import { verifyFakeToken } from './verify-token';

/** RFC 8693: exchanges an OIDC token for a federated token. */
export async function handleTokenExchange(world: FakeWorld, call: FakeCall): Promise<FakeResponse> {
  requireMethod(call, 'POST');
  const request = readExchange(call);
  assertRequest(
    request.grant_type === urn('grant-type:token-exchange'),
    'unsupported_grant_type',
    'The grant type is wrong.',
  );
  assertRequest(
    request.requested_token_type === urn('token-type:access_token'),
    'invalid_request',
    'The requested token type is wrong.',
  );
  assertRequest(
    subjectTypes.includes(request.subject_token_type),
    'invalid_request',
    'The subject token type is wrong.',
  );
  requireAudience(world, request.audience);
  const scopes = readScopes(request.scope);
  const claims = await verifySubject(world, request.subject_token);

  const lifetime = Math.min(3600, Number(claims.exp) - world.nowSeconds());
  const { secret } = world.secrets.issue('federated token', {
    principal: `principal://iam.googleapis.com/${parsePool(world.provider)}/subject/${String(claims.sub)}`,
    scopes,
    expiresAtSeconds: world.nowSeconds() + lifetime,
  });
  return {
    status: 200,
    body: {
      access_token: secret,
      issued_token_type: urn('token-type:access_token'),
      token_type: 'Bearer',
      expires_in: lifetime,
    },
  };
}

/** Implements RFC 7662. */
export function handleIntrospection(world: FakeWorld, call: FakeCall): FakeResponse {
  requireMethod(call, 'POST');
  const known = world.secrets.find(String(readFormBody(call).token));
  const isActive = known !== undefined && !known.isRevoked && known.expiresAtSeconds > world.nowSeconds();
  if (!isActive) return { status: 200, body: { active: false } };
  return {
    status: 200,
    body: {
      active: true,
      username: known.principal,
      scope: known.scopes.join(' '),
      token_type: 'Bearer',
      exp: known.expiresAtSeconds,
      iss: `https://sts.${world.universe}/`,
    },
  };
}

const urn = (name: string): string => `urn:ietf:params:oauth:${name}`;

const subjectTypes: readonly unknown[] = [urn('token-type:jwt'), urn('token-type:id_token')];

const fields = [
  'grant_type',
  'audience',
  'scope',
  'requested_token_type',
  'subject_token',
  'subject_token_type',
  'options',
] as const;

type Exchange = Readonly<Partial<Record<(typeof fields)[number], unknown>>>;

/** JSON uses camelCase field names, forms use snake_case; mixing them is rejected. */
function readExchange(call: FakeCall): Exchange {
  if (contentType(call.headers) === 'application/json') {
    const body = readJsonBody(call, fields.map(camelCase));
    return Object.fromEntries(fields.map((field) => [field, body[camelCase(field)]]));
  }
  const form: JsonObject = readFormBody(call);
  for (const name of Object.keys(form)) {
    assertRequest(
      fields.some((field) => field === name),
      'invalid_request',
      `The field "${name}" is not known.`,
    );
  }
  return form;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

// Resource names are the same in every universe.
const providerPath =
  /^\/\/iam\.googleapis\.com\/(projects\/\d+\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{4,32}\/providers\/[a-z0-9-]{4,32})$/;

function requireAudience(world: FakeWorld, audience: unknown): void {
  const [, name] = providerPath.exec(typeof audience === 'string' ? audience : '') ?? [];
  assertRequest(name !== undefined, 'invalid_request', 'The audience is not the full name of a provider.');
  assertRequest(
    name === world.provider,
    'invalid_target',
    'The audience names a pool or provider that does not exist, is disabled or was deleted.',
  );
}

function readScopes(scope: unknown): readonly string[] {
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  assertRequest(
    scopes.length > 0 && scopes.every((each) => /^(?:openid|email|profile|https:\/\/\S+)$/.test(each)),
    'invalid_scope',
    'The scope is not a list of addresses with single spaces between them.',
  );
  return scopes;
}

async function verifySubject(world: FakeWorld, token: unknown): Promise<FakeClaims> {
  assertRequest(typeof token === 'string' && token !== '', 'invalid_request', 'The subject token is missing.');
  const { claims, refusal } = await verifyFakeToken(world, token, {
    keys: ['issuer'],
    issuer: world.issuer,
    audience: world.allowedAudiences,
  });
  if (refusal !== undefined) {
    throw oauthError(400, 'invalid_grant', refusals[refusal] ?? `The subject token is not valid (${refusal}).`);
  }
  assertRequest(
    Buffer.byteLength(String(claims.sub)) <= 127,
    'invalid_request',
    'The mapped attribute google.subject is larger than 127 bytes.',
  );
  if (!world.attributeCondition(claims)) {
    throw oauthError(403, 'unauthorized_client', 'The attribute condition of the provider refuses the token.');
  }
  return claims;
}

const refusals: Readonly<Record<string, string>> = {
  audience_mismatch: 'The audience of the subject token is not one that the provider expects.',
  issuer_mismatch: 'The issuer of the subject token is not the one of the provider.',
  token_expired: 'The subject token is expired.',
  token_issued_in_future: 'The subject token was issued in the future.',
  token_not_yet_valid: 'The subject token was issued in the future.',
};

function parsePool(provider: string): string {
  return provider.replace(/\/providers\/.*$/, '');
}

function assertRequest(holds: boolean, error: string, description: string): asserts holds {
  if (!holds) throw oauthError(400, error, description);
}
