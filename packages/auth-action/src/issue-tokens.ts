import type { ActionsRuntime } from './actions-runtime';
import { delegationClaims, selfSignedClaims, signAssertion } from './cloud/assertion';
import { cloudPlatformScope } from './cloud/identifiers';
import type { GrantedToken, TokenServices } from './cloud/token-services';
import type { Identity, Settings, TokenRequest } from './settings';

export interface IssueOptions {
  readonly settings: Settings;
  readonly tokenServices: TokenServices;
  readonly mask: ActionsRuntime['mask'];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface IssuedTokens {
  /** The federated token, which the OIDC token of the job was exchanged for; `undefined` with a key. */
  readonly federated: GrantedToken | undefined;
  /** The token for `token_format`. */
  readonly requested: GrantedToken | undefined;
}

/**
 * Authenticates and issues the token for `token_format`. With a key and no token output no request is made:
 * client libraries authenticate with the key by themselves.
 */
export async function issueTokens(options: IssueOptions): Promise<IssuedTokens> {
  const { identity, token } = options.settings;
  if (identity.mode === 'key') {
    return { federated: undefined, requested: await issueWithKey(options, identity, token) };
  }
  const { audience, provider, serviceAccount } = identity;
  const scope = federatedScopes(options.settings, serviceAccount).join(' ');
  const federated = await options.tokenServices.exchange({ audience, provider: provider.name, scope });
  if (token.kind === 'none') return { federated, requested: undefined };
  // Direct federation impersonates no account: the federated token is the access token.
  const requested =
    serviceAccount === undefined
      ? federated
      : await impersonate(options, { serviceAccount, bearer: federated.token, token });
  return { federated, requested };
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
): Promise<GrantedToken | undefined> {
  if (token.kind === 'none') return undefined;
  const { settings, tokenServices, mask, now } = options;
  const sign = (claims: Readonly<Record<string, unknown>>): string => {
    const assertion = signAssertion(key, claims);
    mask(assertion);
    return assertion;
  };
  if (token.kind === 'access_token' && token.subject !== undefined && serviceAccount === key.clientEmail) {
    return tokenServices.exchangeAssertion(
      sign(toDelegationClaims(options, serviceAccount, { ...token, subject: token.subject })),
    );
  }
  const bearer = sign(selfSignedClaims({ clientEmail: key.clientEmail, universe: settings.universe, now: now() }));
  return impersonate(options, { serviceAccount, bearer, token });
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
