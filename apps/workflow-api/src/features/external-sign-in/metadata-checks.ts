import type { OidcCheck } from '@weir/workflow-contract/schemas';
import type { ServerMetadata } from 'openid-client';

/** A check without its name. */
export type Finding = Omit<OidcCheck, 'name'>;

export const passed = (message: string): Finding => ({ result: 'passed', message });
export const warning = (message: string): Finding => ({ result: 'warning', message });
export const failed = (message: string): Finding => ({ result: 'failed', message });

/** Checks the flow of the sign-in: authorization code with PKCE. */
export function checkFlow(metadata: ServerMetadata): Finding {
  const { response_types_supported: types, code_challenge_methods_supported: methods } = metadata;
  if (metadata.authorization_endpoint === undefined) return failed('The provider names no authorization endpoint.');
  if (metadata.token_endpoint === undefined) return failed('The provider names no token endpoint.');
  if (types?.includes('code') === false) return failed('The provider does not support the authorization code flow.');
  if (methods === undefined) return warning('The provider does not say whether it checks PKCE with S256.');
  if (!methods.includes('S256')) return failed('The provider does not support PKCE with S256.');
  return passed('The provider supports the authorization code flow with PKCE.');
}

export function checkScopes({ scopes_supported: supported }: ServerMetadata, scopes: readonly string[]): Finding {
  if (!scopes.includes('openid')) return failed('The scopes do not include openid.');
  if (supported === undefined) return passed('The provider does not list its scopes.');
  const missing = scopes.filter((scope) => !supported.includes(scope));
  if (missing.length === 0) return passed('The provider has all scopes.');
  return warning(`The provider does not list these scopes: ${missing.join(', ')}.`);
}

export function checkGroups({ claims_supported: supported }: ServerMetadata, claim: string): Finding {
  const [top = ''] = claim.split('.');
  if (supported === undefined) return passed(`The provider does not list its claims; groups are read from ${claim}.`);
  if (supported.includes(claim) || supported.includes(top)) return passed(`The provider has the claim ${claim}.`);
  return warning(`The provider does not list the claim ${claim}; without groups, people have the default role.`);
}

interface Key {
  readonly kty?: unknown;
  readonly use?: unknown;
}

/** Checks the keys that verify signatures; shared secrets do not count. */
export function checkKeys(answer: unknown): Finding {
  const { keys } = (answer ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) return failed('The provider publishes no keys.');
  const usable = (keys as readonly Key[]).filter(
    ({ kty, use = 'sig' }) => use === 'sig' && ['RSA', 'EC', 'OKP'].includes(String(kty)),
  );
  if (usable.length === 0) return failed('None of the keys of the provider verifies signatures.');
  return passed(`The provider publishes ${usable.length === 1 ? 'a key' : `${usable.length} keys`} for signatures.`);
}
