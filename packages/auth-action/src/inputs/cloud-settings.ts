/** The role of AWS that the job assumes. */
export interface AwsSettings {
  readonly roleArn: string;
  /** `undefined` for the global endpoint. */
  readonly region: string | undefined;
  /** The `aud` claim of the OIDC token. */
  readonly audience: string;
  readonly sessionName: string;
  /** Base URL without a trailing slash. */
  readonly stsEndpoint: string;
  /** Whether clients must be told the endpoint, because an input set it. */
  readonly isEndpointSet: boolean;
  /** Whether the session credentials are outputs. */
  readonly outputsSession: boolean;
}

/** The application or managed identity of Azure that the job signs in as. */
export interface AzureSettings {
  readonly tenantId: string;
  readonly clientId: string;
  readonly subscriptionId: string | undefined;
  readonly audience: string;
  /** Base URL without a trailing slash. */
  readonly authorityHost: string;
}

/** The clouds beside Google Cloud. */
export interface CloudSettings {
  readonly aws: AwsSettings | undefined;
  readonly azure: AzureSettings | undefined;
}
