/** A token that proves or grants something, and until when. */
export interface GrantedToken {
  readonly token: string;
  /** `undefined` where the answer did not say. */
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

export interface SignRequest {
  readonly serviceAccount: string;
  /** Claims of the JWT, as an object. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly delegates: readonly string[];
}

/** The token services. Every call goes through one transport with one retry layer and one deadline. */
export interface Cloud {
  /** Exchanges the job's OIDC token for a federated access token. A fresh OIDC token is fetched when the old one expired. */
  exchange(request: {
    readonly audience: string;
    readonly provider: string;
    readonly scope: string;
  }): Promise<GrantedToken>;
  generateAccessToken(request: AccessTokenRequest, bearer: string): Promise<GrantedToken>;
  generateIdToken(request: IdTokenRequest, bearer: string): Promise<GrantedToken>;
  /** Signs with a key of the account that stays in the cloud. */
  signJwt(request: SignRequest, bearer: string): Promise<string>;
  /** Trades a signed assertion for an access token (domain-wide delegation). */
  redeemAssertion(assertion: string): Promise<GrantedToken>;
  /** The OIDC token that was exchanged last, for what its claims say; undefined before. */
  readonly oidcToken: string | undefined;
}
