import type { FaultPlans } from './fault-plans';
import type { FakeRsaKeyName } from './fake-keys';
import type { TestAuthority } from './test-authority';

export type FakeClaims = Readonly<Record<string, unknown>>;

/** What a request is for. `none` is a path nothing answers at. */
export type FakeService = 'oidc' | 'jwks' | 'sts' | 'introspect' | 'iam' | 'oauth' | 'revoke' | 'api' | 'none';

export interface FakeAccount {
  readonly email: string;
  readonly uniqueId: string;
  /** Who may make tokens of it: emails of accounts, or `federation` for jobs that came through the provider. */
  readonly impersonators: readonly string[];
}

export interface FakeCloudOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default `googleapis.com`. */
  readonly universe?: string;
  /** `iss` of the job's tokens. */
  readonly issuer?: string;
  /** `projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>`. */
  readonly provider?: string;
  /** `aud` that the provider takes. Default: its own full name, with and without `https:`. */
  readonly allowedAudiences?: readonly string[];
  readonly attributeCondition?: (claims: FakeClaims) => boolean;
  /** Written over the usual claims of the job's token; `undefined` leaves a claim out. */
  readonly claims?: FakeClaims;
  /** How long the job's token lives. Default 300. */
  readonly oidcLifetimeSeconds?: number;
  readonly accounts?: readonly FakeAccount[];
  /** Users that accounts may act as (domain-wide delegation). Default `user@example.com`. */
  readonly delegatedUsers?: readonly string[];
  /** Of an account's access token. Default 3600; 43,200 is what the organization policy allows at most. */
  readonly maximumLifetimeSeconds?: number;
  readonly buckets?: readonly string[];
  readonly faults?: FaultPlans;
  /** Adds a TLS front whose certificate names the real hosts. */
  readonly authority?: TestAuthority;
}

export interface FakeRequest {
  readonly service: FakeService;
  readonly method: string;
  /** Without the port. */
  readonly host: string;
  /** As below the service's base address, with the query. */
  readonly path: string;
  /** Those that say something: `accept`, `authorization`, `content-type`, `user-agent` and `x-goog-*`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON and forms as objects, `undefined` for none. Secrets are replaced by their names. */
  readonly body: unknown;
  /** The status, or what was done instead of answering; `open` while it is not decided. */
  readonly outcome: string;
}

export type FakeSecretKind =
  | 'request token'
  | 'oidc token'
  | 'federated token'
  | 'access token'
  | 'id token'
  | 'signed jwt'
  | 'private key'
  | 'foreign bearer'
  | 'foreign token';

export interface FakeSecret {
  /** Such as `<federated token 1>`, as it stands in the transcript. */
  readonly name: string;
  readonly kind: FakeSecretKind;
  readonly secret: string;
  /** Whose: the `principal://` of a job, an account's email or a user's. */
  readonly principal: string;
  readonly scopes: readonly string[];
  readonly expiresAtSeconds: number;
  readonly isRevoked: boolean;
}

export interface FakeTokens {
  /** Everything that was issued, and everything secret that was shown to the cloud, oldest first. */
  readonly all: () => readonly FakeSecret[];
  readonly of: (kind: FakeSecretKind) => readonly FakeSecret[];
  /** Names of the secrets that stand in the text, as they are or in base64; of a private key any line counts. */
  readonly leaks: (text: string) => readonly string[];
  /** The text with names in place of secrets. */
  readonly redact: (text: string) => string;
}

/** As it is exported by the cloud and stored as a secret. */
export interface FakeServiceAccountKey {
  readonly type: 'service_account';
  readonly project_id: string;
  readonly private_key_id: string;
  readonly private_key: string;
  readonly client_email: string;
  readonly client_id: string;
  readonly auth_uri: string;
  readonly token_uri: string;
  readonly universe_domain: string;
}

export interface FakeCloud {
  /** Origin of the plain HTTP front. */
  readonly url: string;
  /** Base addresses below it, to which the paths of the real hosts are added (`${bases.sts}/v1/token`). */
  readonly bases: Readonly<Record<FakeBase, string>>;
  /** What the runner sets where the job may ask for tokens. */
  readonly env: {
    readonly ACTIONS_ID_TOKEN_REQUEST_URL: string;
    readonly ACTIONS_ID_TOKEN_REQUEST_TOKEN: string;
  };
  readonly provider: string;
  readonly issuer: string;
  readonly universe: string;
  /** The account that jobs may become. */
  readonly account: FakeAccount;
  readonly requests: readonly FakeRequest[];
  /** What came to the host that redirects point at. It answers 200 with a token nobody issued. */
  readonly strayRequests: readonly FakeRequest[];
  readonly tokens: FakeTokens;
  /** Replaces the plans; what was left of the old ones is forgotten. */
  readonly setFaults: (faults: FaultPlans) => void;
  readonly setClaims: (claims: FakeClaims) => void;
  /** How many requests wait in a `hold` fault. */
  readonly heldCount: () => number;
  readonly release: () => void;
  /** Of both fronts, since the start. Those that came through a proxy count too; see its `tunnelCount`. */
  readonly connectionCount: () => number;
  readonly serviceAccountKey: (email?: string) => FakeServiceAccountKey;
  /** RS256 by the named key, whatever the claims are. The `stranger` is known to nobody. */
  readonly sign: (key: FakeRsaKeyName, claims: unknown, header?: FakeClaims) => string;
  /** Where a CONNECT proxy finds a host: the TLS front for those of the universe, the plain one for itself. */
  readonly route: (host: string, port: number) => number | undefined;
  readonly stop: () => Promise<void>;
}

export type FakeBase = 'issuer' | 'sts' | 'iamcredentials' | 'oauth2' | 'www' | 'storage' | 'cloudresourcemanager';
