import type { UserRole } from '@weir/workflow-contract';
import type { GroupMappings } from '../access/access-of-groups';
import type { OidcClient } from '../oidc';

/** The scopes that a provider is asked for by default. */
export const defaultScopes: readonly string[] = ['openid', 'profile', 'email'];

/** The claim with the groups of a person, by default. */
export const defaultGroupsClaim = 'groups';

/** Decides which people of a provider may sign in, and with which role. */
export interface AdmissionRules {
  /** Addresses in lower case; with either list, only people with a verified address on one of them may sign in. */
  readonly allowedEmails: readonly string[];
  readonly allowedDomains: readonly string[];
  /** Whether a person without a user gets one. */
  readonly createsUsers: boolean;
  readonly groupMappings: GroupMappings;
  /** The role of people whose groups have none; missing where they may not sign in. */
  readonly defaultRole: UserRole | undefined;
  /** Whether the groups count at each sign-in, or only at the first one. */
  readonly syncsRoles: boolean;
}

/** The id of the provider that the variables describe. */
export const ownProviderId = 'oidc';

export interface OidcSettings extends Omit<OidcClient, 'fetch'> {
  /** Names the provider among those of this server, and in the addresses of its pages. */
  readonly id: string;
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  /** The jq expression that gives roles for the claims of a person; missing where only groups do. */
  readonly roleExpression: string | undefined;
  /** Whether signing out here also signs out at the provider, where the provider offers it. */
  readonly signsOutThere: boolean;
  /** Browsers reach this server by this address; it has no trailing slash and no base path. */
  readonly clientUrl: string;
  readonly buttonLabel: string;
  readonly rules: AdmissionRules;
}

/** Whether two addresses name the same issuer: providers write theirs with or without a slash at the end. */
export function isSameIssuer(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}

export interface ProxySignInSettings {
  /** Addresses and networks of the proxy. */
  readonly addresses: readonly string[];
  readonly userHeader: string;
  readonly groupsHeader: string;
  readonly buttonLabel: string;
  readonly rules: AdmissionRules;
}

export interface ExternalSignInOptions {
  readonly oidc: readonly OidcSettings[];
  readonly proxy: ProxySignInSettings | undefined;
}
