import type { FakeClaims, FakeService } from './fake-types';
import type { FaultPlans } from './fault-plans';
import type { FakeRsaKeyName } from './rsa-keys';
import type { TestAuthority } from './test-authority';

export interface FakeAccount {
  readonly email: string;
  readonly uniqueId: string;
  /** The principals who can impersonate it: emails of accounts, or `federation` for federated principals. */
  readonly impersonators: readonly string[];
}

/** An AWS role, with its trust policy. */
export interface FakeAwsRole {
  readonly arn: string;
  /** The audience of the OIDC tokens that it trusts. */
  readonly audience: string;
  /** The pattern is compared with the `sub` claim. */
  readonly subject: RegExp;
  readonly maximumSessionSeconds: number;
  /** The pattern is compared with the ARN of callers who assume it with keys. Default: nobody can. */
  readonly callers?: RegExp;
  /** Callers with keys must send it. */
  readonly externalId?: string;
  /** Whether callers can tag the session. Default true. */
  readonly allowsTags?: boolean;
  /** After how many sessions of the cloud the secret keys have no special characters. Default: never. */
  readonly plainKeyAfter?: number;
}

/** An AWS user with an access key. */
export interface FakeAwsUser {
  readonly arn: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A session that the Security Token Service issued. */
export interface FakeAwsSession {
  readonly accessKeyId: string;
  /** The ARN of the session. */
  readonly principal: string;
  readonly expiresAtSeconds: number;
  readonly inlinePolicy: string | undefined;
  readonly managedPolicies: readonly string[];
  /** With those that the caller passed on. */
  readonly tags: Readonly<Record<string, string>>;
  readonly transitiveTags: readonly string[];
}

/** A Microsoft Entra application with its federated credentials and one secret. */
export interface FakeAzureApp {
  readonly tenantId: string;
  readonly clientId: string;
  readonly audience: string;
  readonly subject: string;
  /** The subjects of further federated credentials. Default none. */
  readonly moreSubjects?: readonly string[];
  /** Default: it has none. */
  readonly clientSecret?: string;
}

export interface FakeCloudOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default `googleapis.com`. */
  readonly universe?: string;
  /** The `iss` claim of OIDC tokens. */
  readonly issuer?: string;
  /** `projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>`. */
  readonly provider?: string;
  /** Default: the full name of the provider, with and without `https:`. */
  readonly allowedAudiences?: readonly string[];
  readonly attributeCondition?: (claims: FakeClaims) => boolean;
  /** Override the default claims of OIDC tokens; `undefined` omits a claim. */
  readonly claims?: FakeClaims;
  /** Default 300. */
  readonly oidcLifetimeSeconds?: number;
  readonly accounts?: readonly FakeAccount[];
  /** Users that accounts can impersonate (domain-wide delegation). Default `user@example.com`. */
  readonly delegatedUsers?: readonly string[];
  /** The limit of access tokens. Default 3600; an organization policy allows up to 43,200. */
  readonly maximumLifetimeSeconds?: number;
  readonly buckets?: readonly string[];
  readonly awsRoles?: readonly FakeAwsRole[];
  readonly awsUser?: FakeAwsUser;
  readonly azureApps?: readonly FakeAzureApp[];
  readonly faults?: FaultPlans;
  /** Adds a TLS server with a certificate for the real host names. */
  readonly authority?: TestAuthority;
}

export interface FakeRequest {
  readonly service: FakeService;
  readonly method: string;
  /** The host without the port. */
  readonly host: string;
  /** The path below the base URL of the service, with the query. */
  readonly path: string;
  /** Contains only `accept`, `authorization`, `content-type`, `user-agent` and `x-goog-*`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON and forms as objects; `undefined` without a body. Secrets are replaced by their names. */
  readonly body: unknown;
  /** The status, or the fault; `open` while the request is pending. */
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
  | 'aws secret key'
  | 'aws session token'
  | 'registry password'
  | 'azure token'
  | 'azure client secret'
  | 'foreign bearer'
  | 'foreign token';

export interface FakeSecret {
  /** The name in the transcript: `<federated token 1>`. */
  readonly name: string;
  readonly kind: FakeSecretKind;
  readonly secret: string;
  /** The `principal://` of a job, or the email of an account or user. */
  readonly principal: string;
  readonly scopes: readonly string[];
  readonly expiresAtSeconds: number;
  readonly isRevoked: boolean;
}

export interface FakeTokens {
  /** Every secret that was issued or received, oldest first. */
  readonly all: () => readonly FakeSecret[];
  readonly ofKind: (kind: FakeSecretKind) => readonly FakeSecret[];
  /** Names of the secrets that the text contains, in plain or base64; of a private key any line counts. */
  readonly leaks: (text: string) => readonly string[];
  /** Replaces secrets by their names. */
  readonly redact: (text: string) => string;
}

/** The JSON key file. */
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
  /** Origin of the plain HTTP server. */
  readonly url: string;
  /** Base URLs of the services, to which the paths of the real hosts are appended (`${bases.sts}/v1/token`). */
  readonly bases: Readonly<Record<FakeBase, string>>;
  /** The variables that a runner sets for jobs with `id-token: write`. */
  readonly env: {
    readonly ACTIONS_ID_TOKEN_REQUEST_URL: string;
    readonly ACTIONS_ID_TOKEN_REQUEST_TOKEN: string;
  };
  readonly provider: string;
  readonly issuer: string;
  readonly universe: string;
  /** The account that jobs can impersonate. */
  readonly account: FakeAccount;
  /** The role and the application that trust the jobs. */
  readonly awsRole: FakeAwsRole;
  readonly azureApp: FakeAzureApp;
  /** The owner of the access key that AWS knows. */
  readonly awsUser: FakeAwsUser;
  /** The sessions of AWS, oldest first. */
  readonly awsSessions: () => readonly FakeAwsSession[];
  readonly requests: readonly FakeRequest[];
  /** Requests to the host that redirects point to. It responds 200 with an invalid token. */
  readonly redirectedRequests: readonly FakeRequest[];
  readonly tokens: FakeTokens;
  /** Replaces all plans. */
  readonly setFaults: (faults: FaultPlans) => void;
  readonly setClaims: (claims: FakeClaims) => void;
  /** Requests that a `hold` fault keeps open. */
  readonly heldCount: () => number;
  readonly release: () => void;
  /** Connections to both servers since the start, including those through a proxy; see its `tunnelCount`. */
  readonly connectionCount: () => number;
  readonly serviceAccountKey: (email?: string) => FakeServiceAccountKey;
  /** Signs any claims with RS256. No service trusts the key `stranger`. */
  readonly sign: (key: FakeRsaKeyName, claims: unknown, header?: FakeClaims) => string;
  /** The port for a CONNECT target: the TLS server for hosts of the universe, the plain server for itself. */
  readonly route: (host: string, port: number) => number | undefined;
  readonly stop: () => Promise<void>;
}

export type FakeBase =
  'issuer' | 'sts' | 'iamcredentials' | 'oauth2' | 'www' | 'storage' | 'cloudresourcemanager' | 'aws' | 'ecr' | 'azure';
