export interface GrantedToken {
  readonly token: string;
  /** `undefined` if the response did not contain it. */
  readonly expiresAt: Date | undefined;
}

export interface AccessTokenRequest {
  readonly serviceAccount: string;
  readonly lifetimeSeconds: number;
  readonly scopes: readonly string[];
  readonly delegates: readonly string[];
}

export interface IdTokenRequest {
  readonly serviceAccount: string;
  readonly audience: string;
  readonly includeEmail: boolean;
  readonly delegates: readonly string[];
}

export interface SignJwtRequest {
  readonly serviceAccount: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly delegates: readonly string[];
}

/** The services that issue tokens. All calls share one transport with one deadline. */
export interface TokenServices {
  /** Exchanges the OIDC token of the job for a federated token. Requests a new OIDC token if the first one has expired. */
  exchange(request: {
    readonly audience: string;
    readonly provider: string;
    readonly scope: string;
  }): Promise<GrantedToken>;
  generateAccessToken(request: AccessTokenRequest, bearer: string): Promise<GrantedToken>;
  generateIdToken(request: IdTokenRequest, bearer: string): Promise<GrantedToken>;
  /** Signs with a Google-managed key of the account. */
  signJwt(request: SignJwtRequest, bearer: string): Promise<string>;
  /** Exchanges a signed assertion for an access token (domain-wide delegation). */
  exchangeAssertion(assertion: string): Promise<GrantedToken>;
  /** The OIDC token of the job for an audience. */
  requestOidcToken(audience: string): Promise<string>;
  /** The OIDC token of the last exchange; its claims help to explain a failure. */
  readonly oidcToken: string | undefined;
}
