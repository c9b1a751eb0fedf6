import type { ServiceCall, ServiceResponse } from '../cloud/service-call';
import type { Variable } from '../report/variables';

/**
 * The part of the action that a sign-in needs. It is passed in, so that the bundles of the clouds contain no transport.
 */
export interface CloudContext {
  readonly oidcToken: string;
  readonly send: (call: ServiceCall) => Promise<ServiceResponse>;
  readonly mask: (secret: string) => void;
  /** The error for a successful response without the expected fields. */
  readonly malformed: (call: ServiceCall, what: string) => Error;
}

/** A sign-in that the cloud accepted. */
export interface CloudSignIn {
  /** The usual name of the cloud: `AWS`. */
  readonly cloud: string;
  readonly principal: string;
  /** The name of the token file, without an extension. */
  readonly fileName: string;
  readonly audience: string;
  /** The environment variables for later steps; clients read the OIDC token from the file. */
  readonly variables: (tokenFile: string) => readonly Variable[];
  /** The output with the path of the token file. */
  readonly fileOutput: string;
  readonly outputs: readonly Variable[];
}
