import type { ServiceCall, ServiceResponse } from '../cloud/service-call';
import type { AwsKeys, AwsProfile, AzureSettings } from '../inputs/cloud-settings';
import type { Variable } from '../report/variables';

/**
 * The part of the action that a sign-in needs. It is passed in, so that the bundles of the clouds contain no transport.
 */
export interface CloudContext {
  /** The OIDC token of the job for an audience, masked. */
  readonly requestOidcToken: (audience: string) => Promise<string>;
  readonly send: (call: ServiceCall) => Promise<ServiceResponse>;
  readonly mask: (secret: string) => void;
  /** The error for a successful response without the expected fields. */
  readonly malformed: (call: ServiceCall, what: string) => Error;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The OIDC token that clients renew their credentials with, in a file. */
export interface CloudToken {
  /** The name of the file, without an extension. */
  readonly fileName: string;
  readonly audience: string;
  readonly oidcToken: string;
  /** The output with the path of the file. */
  readonly output: string;
  /** The environment variables for later steps. */
  readonly variables: (file: string) => readonly Variable[];
}

/** What Docker signs in to a registry with. */
export interface RegistrySignIn {
  readonly host: string;
  /** The base64 text of user and password. Secret. */
  readonly auth: string;
}

export interface AwsProfileContent extends AwsProfile {
  readonly keys: AwsKeys;
  readonly region: string | undefined;
}

/** A sign-in that the cloud accepted. */
export interface CloudSignIn {
  /** The usual name of the cloud: `AWS`. */
  readonly cloud: string;
  readonly principal: string;
  readonly token: CloudToken | undefined;
  /** The environment variables that need no file. */
  readonly variables: readonly Variable[];
  readonly outputs: readonly Variable[];
  readonly registries: readonly RegistrySignIn[];
  readonly profile: AwsProfileContent | undefined;
  /** How the tools of Azure are signed in, if they are. */
  readonly azure?: AzureSettings;
}
