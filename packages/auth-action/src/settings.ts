/** `projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>`, taken apart. */
export interface ProviderName {
  /** In full, without a prefix. */
  readonly name: string;
  readonly projectNumber: string;
  readonly pool: string;
  readonly provider: string;
}

/** A service account's exported key. Every text of it is secret but those named here. */
export interface ServiceAccountKey {
  readonly clientEmail: string;
  readonly privateKeyId: string;
  /** PEM, proved to sign. */
  readonly privateKey: string;
  readonly projectId: string | undefined;
  /** Of the key's own `universe_domain`. */
  readonly universeDomain: string | undefined;
  /** The whole key, unknown fields too, as it goes into the credentials file. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Who the job wants to be, and what it proves that with. */
export type Identity =
  | {
      readonly mode: 'federation';
      readonly provider: ProviderName;
      /** Email or unique id. `undefined`: direct federation, as the provider's own principal. */
      readonly serviceAccount: string | undefined;
      /** `aud` of the job's OIDC token. */
      readonly audience: string;
    }
  | {
      readonly mode: 'key';
      readonly key: ServiceAccountKey;
      /** The key's own account unless another one was named. */
      readonly serviceAccount: string;
    };

/** What is to be handed out as an output. */
export type TokenWish =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'access_token';
      /** 1 to 43,200; at most 3,600 with a subject. */
      readonly lifetimeSeconds: number;
      readonly scopes: readonly string[];
      /** Domain-wide delegation: the user to act as. */
      readonly subject: string | undefined;
    }
  | { readonly kind: 'id_token'; readonly audience: string; readonly includeEmail: boolean };

/**
 * Base addresses without a slash at the end and without a version: `https://sts.googleapis.com`. Identifiers such as
 * audiences and scopes never depend on them.
 */
export interface Endpoints {
  readonly sts: string;
  readonly iamCredentials: string;
  readonly oauth2: string;
}

/** Everything the inputs say, checked. Nothing was requested or written yet. */
export interface Settings {
  readonly identity: Identity;
  readonly token: TokenWish;
  /** Emails or unique ids, in the order of the chain. */
  readonly delegates: readonly string[];
  /** Given, else from the account's email, else from the key; `undefined` where none can be told. */
  readonly projectId: string | undefined;
  /** Default `googleapis.com`. */
  readonly universe: string;
  readonly endpoints: Endpoints;
  readonly file: {
    readonly create: boolean;
    readonly cleanUp: boolean;
    /** Default 0o600. */
    readonly mode: number;
    /** `access_token_lifetime`, which holds for the tokens that readers of the file get by impersonation too. */
    readonly tokenLifetimeSeconds: number;
  };
  readonly exportsVariables: boolean;
  readonly requestReason: string | undefined;
  readonly expectedProject: string | undefined;
  readonly expectedAccount: string | undefined;
  readonly writesSummary: boolean;
  /** Whether post revokes the access token that was handed out. */
  readonly revokes: boolean;
  /** For all requests of the main phase together. */
  readonly deadlineSeconds: number;
}
