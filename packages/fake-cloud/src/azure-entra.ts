import { requireMethod, readFormBody, type FakeCall } from './call';
import type { FakeAzureApp } from './fake-cloud';
import { oauthError, type FakeResponse, type RejectedRequest } from './responses';
import { verifyFakeToken } from './verify-token';
import type { FakeWorld } from './world';

const tokenSeconds = 3599;

/** The token endpoint of Microsoft Entra ID: client credentials with a secret, or with a federated token in its place. */
export async function handleEntraToken(world: FakeWorld, call: FakeCall): Promise<FakeResponse> {
  requireMethod(call, 'POST');
  const form = readFormBody(call);
  const app = findApp(world, call.path, form.client_id);
  if (form.grant_type !== 'client_credentials') throw rejection(70003, 'unsupported_grant_type', 'Unsupported grant.');
  const scopes = String(form.scope).split(' ').filter(isResourceScope);
  if (scopes.length !== 1) throw rejection(1002012, 'invalid_scope', 'The scope must be one resource and /.default.');
  if (form.client_secret === undefined) await verifyAssertion(world, app, form);
  else verifySecret(app, form.client_secret);
  const { secret } = world.secrets.issue('azure token', {
    principal: app.clientId,
    scopes,
    expiresAtSeconds: world.nowSeconds() + tokenSeconds,
  });
  return {
    status: 200,
    body: { token_type: 'Bearer', expires_in: tokenSeconds, ext_expires_in: tokenSeconds, access_token: secret },
  };
}

/**
 * Answers the requests that client libraries send before they request a token: the instances of the cloud, and the
 * tenant's endpoints.
 */
export function handleEntraMetadata(world: FakeWorld, call: FakeCall): FakeResponse {
  requireMethod(call, 'GET');
  const host = call.headers.host ?? '';
  const [tenant = ''] = world.azureApps.map(({ tenantId }) => tenantId);
  const base = `https://${host}/${tenant}`;
  if (call.path.startsWith('/common/discovery/')) {
    const metadata = [{ preferred_network: host, preferred_cache: host, aliases: [host] }];
    const tenantEndpoint = `${base}/v2.0/.well-known/openid-configuration`;
    return { status: 200, body: { tenant_discovery_endpoint: tenantEndpoint, 'api-version': '1.1', metadata } };
  }
  return {
    status: 200,
    body: {
      issuer: `${base}/v2.0`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
    },
  };
}

function isResourceScope(scope: string): boolean {
  return /^(?:https|api):\/\/\S+\/\.default$/.test(scope);
}

function findApp(world: FakeWorld, path: string, clientId: unknown): FakeAzureApp {
  const tenant = path.split('/')[1] ?? '';
  const inTenant = world.azureApps.filter(({ tenantId }) => tenantId === tenant);
  if (inTenant.length === 0) throw rejection(90002, 'invalid_request', `Tenant '${tenant}' not found.`);
  const app = inTenant.find((candidate) => candidate.clientId === clientId);
  if (app === undefined) {
    throw rejection(
      700016,
      'unauthorized_client',
      `Application with identifier '${String(clientId)}' was not found in the directory '${tenant}'.`,
    );
  }
  return app;
}

function verifySecret(app: FakeAzureApp, secret: unknown): void {
  if (app.clientSecret !== undefined && secret === app.clientSecret) return;
  throw rejection(7000215, 'invalid_client', `Invalid client secret provided for app '${app.clientId}'.`);
}

async function verifyAssertion(
  world: FakeWorld,
  app: FakeAzureApp,
  form: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (form.client_assertion_type !== 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer') {
    throw rejection(50027, 'invalid_request', 'The client assertion type is wrong.');
  }
  const assertion = String(form.client_assertion);
  const { claims, refusal } = await verifyFakeToken(world, assertion, {
    keys: ['issuer'],
    issuer: world.issuer,
    audience: [app.audience],
  });
  if (refusal !== undefined) {
    const [code, text] = refusals[refusal] ?? [50027, `The assertion is invalid (${refusal}).`];
    throw rejection(code, 'invalid_client', text);
  }
  // Entra compares the whole subject; there are no patterns.
  if ([app.subject, ...(app.moreSubjects ?? [])].includes(String(claims.sub))) return;
  throw rejection(
    700213,
    'invalid_client',
    `No matching federated identity record found for presented assertion subject '${String(claims.sub)}'.`,
  );
}

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  audience_mismatch: [700212, 'No matching federated identity record found for presented assertion audience.'],
  issuer_mismatch: [700211, 'No matching federated identity record found for presented assertion issuer.'],
  token_expired: [700024, 'Client assertion is not within its valid time range.'],
  token_issued_in_future: [700024, 'Client assertion is not within its valid time range.'],
};

function rejection(code: number, error: string, text: string): RejectedRequest {
  return oauthError(error === 'invalid_client' ? 401 : 400, error, `AADSTS${code}: ${text} Trace ID: fake`);
}
