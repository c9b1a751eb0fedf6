import type { KeyObject } from 'node:crypto';
import type { CloudSettings } from './cloud-settings';
import type { FileSettings } from './file-settings';
import type { DoubtfulInput, IgnoredInput } from './input-reader';
import type { StepSettings } from './step-settings';

/** The parts of `projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>`. */
export interface ProviderName {
  /** The full resource name, without a prefix. */
  readonly name: string;
  readonly projectNumber: string;
  readonly pool: string;
  readonly provider: string;
}

/** A service account key. Every string in it is secret except the fields named here. */
export interface ServiceAccountKey {
  readonly clientEmail: string;
  readonly privateKeyId: string | undefined;
  /** An RSA key. */
  readonly privateKey: KeyObject;
  readonly projectId: string | undefined;
  /** The `universe_domain` of the key. */
  readonly universeDomain: string | undefined;
  /** The whole key including unknown fields, as in the credentials file. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** The principal that the job authenticates as, and how. */
export type Identity =
  | {
      readonly mode: 'federation';
      readonly provider: ProviderName;
      /** Email or unique id. `undefined` in direct federation, where the job has no service account. */
      readonly serviceAccount: string | undefined;
      /** The `aud` claim of the OIDC token of the job. */
      readonly audience: string;
    }
  | {
      readonly mode: 'key';
      readonly key: ServiceAccountKey;
      /** The account of the key, unless an account to impersonate was given. */
      readonly serviceAccount: string;
    };

/** The token that the action sets as an output. */
export type TokenRequest =
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
 * Base URLs without a trailing slash and without a version: `https://sts.googleapis.com`. Identifiers such as audiences
 * and scopes do not depend on them.
 */
export interface Endpoints {
  readonly sts: string;
  readonly iamCredentials: string;
  readonly oauth2: string;
}

/** A repository of Artifact Registry, and for what clients use it. */
export interface PackageRegistry {
  /** The scope of npm, the id of Maven, or `extra`. Empty for the registry of all packages. */
  readonly name: string;
  /** Without a trailing slash: `https://europe-npm.pkg.dev/project/repository`. */
  readonly url: string;
}

export interface PackageRegistries {
  readonly npm: readonly PackageRegistry[];
  readonly python: readonly PackageRegistry[];
  readonly maven: readonly PackageRegistry[];
}

/** The validated inputs for all clouds. */
export interface ActionSettings {
  /** `undefined` if the step signs in to other clouds only. */
  readonly google: Settings | undefined;
  readonly clouds: CloudSettings;
  readonly endpoints: Endpoints;
  readonly step: StepSettings;
}

/** The validated inputs for Google Cloud. */
export interface Settings extends StepSettings {
  /** Inputs that are set but have no effect. */
  readonly ignoredInputs: readonly IgnoredInput[];
  readonly doubtfulInputs: readonly DoubtfulInput[];
  readonly identity: Identity;
  readonly token: TokenRequest;
  /** Emails or unique ids, in the order of the delegation chain. */
  readonly delegates: readonly string[];
  /** From the input, otherwise from an account or the key; `undefined` if none of them names a project. */
  readonly projectId: string | undefined;
  readonly universe: string;
  readonly endpoints: Endpoints;
  readonly file: FileSettings;
  /** Hosts that Docker is signed in to. */
  readonly registries: readonly string[];
  /** Registries that npm, Python's clients and Maven are signed in to. */
  readonly packages: PackageRegistries | undefined;
  /** Whether post revokes the access token. */
  readonly revokesToken: boolean;
}
