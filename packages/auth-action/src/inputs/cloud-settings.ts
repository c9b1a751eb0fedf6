/** Credentials of AWS. Everything but the id is secret. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** `undefined` for the keys of a user. */
  readonly sessionToken: string | undefined;
}

export interface AwsTag {
  readonly key: string;
  readonly value: string;
}

/** What the session of the last role is limited to and recorded with. */
export interface AwsSessionSettings {
  readonly name: string;
  /** `undefined` for the default of AWS, an hour. */
  readonly durationSeconds: number | undefined;
  /** JSON, at most 2,048 characters. */
  readonly inlinePolicy: string | undefined;
  /** ARNs. */
  readonly managedPolicies: readonly string[];
  readonly externalId: string | undefined;
  /** Sent with AssumeRole only: with an OIDC token, its issuer decides on tags. */
  readonly tags: readonly AwsTag[];
  /** Keys of tags that also apply to the sessions of roles that this one assumes. */
  readonly transitiveTags: readonly string[];
}

export interface AwsProfile {
  readonly name: string;
  readonly overwrites: boolean;
}

/** How the job signs in to AWS, and what later steps get. */
export interface AwsSettings {
  /** Whether the first role is assumed with the OIDC token of the job, rather than with `keys`. */
  readonly isFederated: boolean;
  /** The keys that the sign-in starts with. */
  readonly keys: AwsKeys | undefined;
  /** Keys of the environment that are used instead of everything else, if AWS accepts them. */
  readonly existingKeys: AwsKeys | undefined;
  /**
   * ARNs of the roles to assume, each with the credentials of the one before; with keys, the first can be a name. Empty
   * if keys are used as they are.
   */
  readonly roles: readonly string[];
  /** `undefined` for the global endpoint. */
  readonly region: string | undefined;
  /** The `aud` claim of the OIDC token. */
  readonly audience: string;
  readonly session: AwsSessionSettings;
  /** Base URL without a trailing slash. */
  readonly stsEndpoint: string;
  /** Whether clients must be told the endpoint, because an input set it. */
  readonly isEndpointSet: boolean;
  /** `undefined` for all. */
  readonly allowedAccounts: readonly string[] | undefined;
  /** Whether the secret key of the last role must have no special characters. */
  readonly wantsPlainKey: boolean;
  readonly masksAccount: boolean;
  /** Whether the credentials are outputs. */
  readonly outputsSession: boolean;
  /** Whether later steps get the OIDC token, which renews their credentials, rather than one session. */
  readonly handsOutToken: boolean;
  /** Whether variables contain what later steps get. Otherwise only the profile does. */
  readonly setsVariables: boolean;
  /** Variables of earlier credentials that become empty. */
  readonly unsetVariables: readonly string[];
  readonly profile: AwsProfile | undefined;
  /** Hosts of registries that Docker is signed in to. */
  readonly registries: readonly string[];
}

/** What the job proves to Azure that it is the principal. */
export type AzureCredential =
  | {
      readonly kind: 'federated';
      /** The `aud` claim of the OIDC token. */
      readonly audience: string;
    }
  | { readonly kind: 'secret'; readonly secret: string }
  /** The identity of the machine, which only the tools of Azure sign in with. */
  | { readonly kind: 'managed' };

/** The programs that are signed in. */
export interface AzureTools {
  /** `auto`: if it is installed. */
  readonly cli: 'auto' | 'always' | 'never';
  readonly powershell: boolean;
  /** Whether earlier sign-ins of the tools are removed first. */
  readonly clearsAccounts: boolean;
  /** Whether post signs the tools out. */
  readonly signsOut: boolean;
}

/** The application or managed identity of Azure that the job signs in as. */
export interface AzureSettings {
  readonly credential: AzureCredential;
  /** These ids are known for every credential but `managed`. */
  readonly tenantId: string | undefined;
  readonly clientId: string | undefined;
  /** The first is for later steps; the principal must have access to the others. */
  readonly subscriptionIds: readonly string[];
  /** The name of the national cloud: `AzureCloud`. */
  readonly environment: string;
  /** Base URL without a trailing slash; `undefined` for Azure Stack, where only the tools sign in. */
  readonly authorityHost: string | undefined;
  /** Base URL without a trailing slash. */
  readonly resourceManager: string;
  /** The name of the environment in Terraform, which does not have all of them. */
  readonly terraformName: string | undefined;
  readonly tools: AzureTools;
}

/** The clouds beside Google Cloud. */
export interface CloudSettings {
  readonly aws: AwsSettings | undefined;
  readonly azure: AzureSettings | undefined;
}
