import type { ActionsRuntime } from '../runner/actions-runtime';
import { delegationClaims, selfSignedClaims, signAssertion } from './assertion';
import { cloudPlatformScope } from '../inputs/identifiers';
import type { GrantedToken, TokenServices } from './token-services';
import type { Identity, Settings, TokenRequest } from '../inputs/settings';

export interface IssueOptions {
  readonly settings: Settings;
  readonly tokenServices: TokenServices;
  readonly mask: ActionsRuntime['mask'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface IssuedTokens {
  /** The federated token, which the OIDC token of the job was exchanged for, or the token that the key signed. */
  readonly authToken: string;
  /** The token for `token_format`. */
  readonly requested: GrantedToken | undefined;
}

/**
 * Authenticates and issues the token for `token_format`. With a key and no token output no request is made: the key
 * signs its token itself, and so do client libraries.
 */
export async function issueTokens(options: IssueOptions): Promise<IssuedTokens> {
  const { identity, token } = options.settings;
  if (identity.mode === 'key') {
    return issueWithKey(options, identity, token);
  }
  const { audience, provider, serviceAccount } = identity;
  const scope = federatedScopes(options.settings, serviceAccount).join(' ');
  const federated = await options.tokenServices.exchange({ audience, provider: provider.name, scope });
  const authToken = federated.token;
  if (token.kind === 'none') return { authToken, requested: undefined };
  // Direct federation impersonates no account: the federated token is the access token.
  const requested =
    serviceAccount === undefined ? federated : await impersonate(options, { serviceAccount, bearer: authToken, token });
  return { authToken, requested };
}

function federatedScopes({ token }: Settings, serviceAccount: string | undefined): readonly string[] {
  return serviceAccount === undefined && token.kind === 'access_token' ? token.scopes : [cloudPlatformScope];
}

type KeyIdentity = Extract<Identity, { readonly mode: 'key' }>;
type RequestedToken = Exclude<TokenRequest, { readonly kind: 'none' }>;

async function issueWithKey(
  options: IssueOptions,
  { key, serviceAccount }: KeyIdentity,
  token: TokenRequest,
): Promise<IssuedTokens> {
  const { settings, tokenServices, mask, now } = options;
  const sign = (claims: Readonly<Record<string, unknown>>): string => {
    const assertion = signAssertion(key, claims);
    mask(assertion);
    return assertion;
  };
  const authToken = sign(selfSignedClaims({ clientEmail: key.clientEmail, universe: settings.universe, now: now() }));
  if (token.kind === 'none') return { authToken, requested: undefined };
  if (token.kind === 'access_token' && token.subject !== undefined && serviceAccount === key.clientEmail) {
    const claims = toDelegationClaims(options, serviceAccount, { ...token, subject: token.subject });
    return { authToken, requested: await tokenServices.exchangeAssertion(sign(claims)) };
  }
  return { authToken, requested: await impersonate(options, { serviceAccount, bearer: authToken, token }) };
}

interface Impersonation {
  readonly serviceAccount: string;
  readonly bearer: string;
  readonly token: RequestedToken;
}

async function impersonate(
  options: IssueOptions,
  { serviceAccount, bearer, token }: Impersonation,
): Promise<GrantedToken> {
  const { tokenServices, settings } = options;
  const { delegates } = settings;
  if (token.kind === 'id_token') {
    const { audience, includeEmail } = token;
    return tokenServices.generateIdToken({ serviceAccount, audience, includeEmail, delegates }, bearer);
  }
  const { lifetimeSeconds, scopes, subject } = token;
  if (subject === undefined) {
    return tokenServices.generateAccessToken({ serviceAccount, lifetimeSeconds, scopes, delegates }, bearer);
  }
  const claims = toDelegationClaims(options, serviceAccount, { ...token, subject });
  return tokenServices.exchangeAssertion(await tokenServices.signJwt({ serviceAccount, claims, delegates }, bearer));
}

type Delegation = Extract<RequestedToken, { readonly kind: 'access_token' }> & { readonly subject: string };

function toDelegationClaims({ now }: IssueOptions, serviceAccount: string, token: Delegation) {
  const { subject, scopes, lifetimeSeconds } = token;
  return delegationClaims({
    serviceAccount,
    subject,
    scopes,
    lifetimeSeconds,
    now: now(),
  });
}
