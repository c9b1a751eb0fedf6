import { randomBytes } from 'node:crypto';
import {
  isSecureAddress,
  discover,
  isUnreachable,
  loadOidcClient,
  providerTimeoutMs,
  withBoundedAnswers,
} from '../../oidc';
import type { OidcCheck, OidcTestResponse } from '@weir/workflow-contract/schemas';
import type { Configuration } from 'openid-client';
import {
  checkFlow,
  checkGroups,
  checkKeys,
  checkScopes,
  failed,
  passed,
  warning,
  type Finding,
} from './metadata-checks';
import { createOidcProvider, type OidcProviderOptions } from './oidc-provider';

interface TestedOptions extends OidcProviderOptions {
  readonly groupsClaim: string;
}

type Name = OidcCheck['name'];

const names: readonly Name[] = ['discovery', 'flow', 'keys', 'client', 'redirect', 'scopes', 'groups'];

/**
 * Requests from a provider everything that a sign-in needs, in the same order. A made-up code reveals whether the
 * provider knows the client, because it is then refused for another reason.
 */
export async function testOidcSettings(options: TestedOptions): Promise<OidcTestResponse> {
  const { issuer, clientId, callbackUrl } = options;
  const findings = await findAll(options);
  const checks = names.map((name) => ({
    name,
    ...(findings[name] ?? { result: 'skipped' as const, message: 'Not looked at: the provider was not found.' }),
  }));
  const success = checks.every(({ result }) => result === 'passed' || result === 'warning');
  return { success, issuer, clientId, redirectAddress: callbackUrl, checks };
}

async function findAll(options: TestedOptions): Promise<Partial<Record<Name, Finding>>> {
  let configuration: Configuration;
  try {
    configuration = await discover(options);
  } catch (error) {
    return { discovery: failed(describeDiscovery(options.issuer, error)) };
  }
  const metadata = configuration.serverMetadata();
  const flow = checkFlow(metadata);
  const found = {
    discovery: passed(`The provider describes itself at ${options.issuer}.`),
    flow,
    keys: await findKeys(metadata.jwks_uri, options.fetch),
    scopes: checkScopes(metadata, options.scopes),
    groups: checkGroups(metadata, options.groupsClaim),
  };
  // Without the endpoints of the provider, nothing else can be requested.
  if (flow.result === 'failed') return found;
  return {
    ...found,
    client: await askForTokens(configuration, options),
    redirect: await askToSignIn(configuration, options),
  };
}

async function findKeys(address: string | undefined, send: typeof fetch): Promise<Finding> {
  if (address === undefined) return failed('The provider does not say where its keys are.');
  if (!isSecureAddress(address)) return failed('The address of the keys is not an https address.');
  try {
    const answer = await request(send, address);
    return answer.ok ? checkKeys(await answer.json()) : failed(`The address of the keys answers ${answer.status}.`);
  } catch (error) {
    return failed(`The keys of the provider cannot be read${reasonOf(error)}.`);
  }
}

async function askForTokens(configuration: Configuration, options: TestedOptions): Promise<Finding> {
  const client = await loadOidcClient();
  const [state, code] = [client.randomState(), `weir-settings-test-${randomBytes(12).toString('hex')}`];
  const query = new URLSearchParams({ code, state, iss: configuration.serverMetadata().issuer });
  const checks = { expectedState: state, pkceCodeVerifier: client.randomPKCECodeVerifier() };
  try {
    await client.authorizationCodeGrant(configuration, new URL(`${options.callbackUrl}?${query.toString()}`), checks);
    return warning('The provider gave tokens for a code that it did not make.');
  } catch (error) {
    return readRefusal(error);
  }
}

function readRefusal(error: unknown): Finding {
  if (isUnreachable(error)) return failed(`The token endpoint cannot be reached, or fails${reasonOf(error)}.`);
  const { error: code, status } = (error ?? {}) as { readonly error?: unknown; readonly status?: unknown };
  if (code === 'invalid_grant') return passed('The provider knows the client, and accepts its secret.');
  if (code === 'invalid_client' || status === 401) {
    return failed('The provider does not know the client, or does not accept its secret.');
  }
  if (code === 'unauthorized_client') return failed('The provider does not let this client use authorization codes.');
  return warning(`The provider refused a made-up code in an unusual way${reasonOf(error)}.`);
}

/** Requests the page that a browser would be shown. */
async function askToSignIn(configuration: Configuration, options: TestedOptions): Promise<Finding> {
  try {
    const { address } = await createOidcProvider(options, () => Promise.resolve(configuration)).begin();
    const { status, headers } = await request(options.fetch, address);
    const location = URL.parse(headers.get('location') ?? '', address);
    const refusal = location?.href.startsWith(options.callbackUrl) ? location.searchParams.get('error') : null;
    if (refusal !== null && !['login_required', 'interaction_required'].includes(refusal)) {
      return failed(`The provider refuses the sign-in: ${refusal.replaceAll(/[^\w.-]/g, '').slice(0, 100)}.`);
    }
    if (status >= 500) return failed(`The page of the sign-in answers ${status}.`);
    if (status >= 400) {
      return failed(
        `The provider answers ${status}: it may not know ${options.callbackUrl} as an address to return to.`,
      );
    }
    return passed('The provider shows its sign-in.');
  } catch (error) {
    return failed(`The page of the sign-in cannot be reached${reasonOf(error)}.`);
  }
}

function request(send: typeof fetch, address: string): Promise<Response> {
  const signal = AbortSignal.timeout(providerTimeoutMs);
  return withBoundedAnswers(send)(address, { method: 'GET', headers: {}, redirect: 'manual', body: null, signal });
}

function describeDiscovery(issuer: string, error: unknown): string {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return isUnreachable(error)
    ? `The provider cannot be reached at ${address}${reasonOf(error)}.`
    : `What is at ${address} is not the description of this issuer${reasonOf(error)}.`;
}

/** Returns the code of the innermost error that has one: messages may quote what was sent. */
function reasonOf(error: unknown): string {
  let code = '';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') code = ` (${cause.code})`;
    else if (cause.name === 'TimeoutError') code = ' (no answer in ten seconds)';
  }
  return code;
}
