import type { Cloud, GrantedToken } from './cloud/cloud';
import { delegationClaims, selfSignedClaims, signAssertion } from './cloud/assertion';
import { cloudPlatformScope } from './cloud/identifiers';
import type { Identity, Settings, TokenWish } from './settings';
import type { Workflow } from './workflow';

export interface IssueParts {
  readonly settings: Settings;
  readonly cloud: Cloud;
  readonly hide: Workflow['hide'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Issued {
  /** What the job's own token was exchanged for; it proves that the federation works. */
  readonly federated: GrantedToken | undefined;
  /** What was wished for as an output. */
  readonly wished: GrantedToken | undefined;
}

/**
 * Proves who the job is and gets the token that was wished for. A key that no token is wished from proves itself by
 * its signature, so nothing is requested then.
 */
export async function issueTokens(parts: IssueParts): Promise<Issued> {
  const { identity, token } = parts.settings;
  if (identity.mode === 'key') {
    return { federated: undefined, wished: await wishedOfKey(parts, identity, token) };
  }
  const { audience, provider, serviceAccount } = identity;
  const scope = scopesOf(parts.settings, serviceAccount).join(' ');
  const federated = await parts.cloud.exchange({ audience, provider: provider.name, scope });
  if (token.kind === 'none') return { federated, wished: undefined };
  // In direct federation there is no account to impersonate: the federated token is the access token.
  const wished =
    serviceAccount === undefined
      ? federated
      : await impersonate(parts, { serviceAccount, bearer: federated.token, token });
  return { federated, wished };
}

function scopesOf({ token }: Settings, serviceAccount: string | undefined): readonly string[] {
  return serviceAccount === undefined && token.kind === 'access_token' ? token.scopes : [cloudPlatformScope];
}

type KeyIdentity = Extract<Identity, { readonly mode: 'key' }>;
type Wish = Exclude<TokenWish, { readonly kind: 'none' }>;

async function wishedOfKey(
  parts: IssueParts,
  { key, serviceAccount }: KeyIdentity,
  token: TokenWish,
): Promise<GrantedToken | undefined> {
  if (token.kind === 'none') return undefined;
  const { settings, cloud, hide, now } = parts;
  const sign = (claims: Readonly<Record<string, unknown>>): string => {
    const assertion = signAssertion(key, claims);
    hide(assertion);
    return assertion;
  };
  if (token.kind === 'access_token' && token.subject !== undefined && serviceAccount === key.clientEmail) {
    return cloud.redeemAssertion(sign(claimsFor(parts, serviceAccount, { ...token, subject: token.subject })));
  }
  const bearer = sign(selfSignedClaims({ clientEmail: key.clientEmail, universe: settings.universe, now: now() }));
  return impersonate(parts, { serviceAccount, bearer, token });
}

interface Impersonation {
  readonly serviceAccount: string;
  readonly bearer: string;
  readonly token: Wish;
}

async function impersonate(parts: IssueParts, { serviceAccount, bearer, token }: Impersonation): Promise<GrantedToken> {
  const { cloud, settings } = parts;
  const { delegates } = settings;
  if (token.kind === 'id_token') {
    const { audience, includeEmail } = token;
    return cloud.generateIdToken({ serviceAccount, audience, includeEmail, delegates }, bearer);
  }
  const { lifetimeSeconds, scopes, subject } = token;
  if (subject === undefined) {
    return cloud.generateAccessToken({ serviceAccount, lifetimeSeconds, scopes, delegates }, bearer);
  }
  const claims = claimsFor(parts, serviceAccount, { ...token, subject });
  return cloud.redeemAssertion(await cloud.signJwt({ serviceAccount, claims, delegates }, bearer));
}

type Delegation = Extract<Wish, { readonly kind: 'access_token' }> & { readonly subject: string };

function claimsFor({ now }: IssueParts, serviceAccount: string, wish: Delegation) {
  const { subject, scopes, lifetimeSeconds } = wish;
  return delegationClaims({
    serviceAccount,
    subject,
    scopes,
    lifetimeSeconds,
    now: now(),
  });
}
