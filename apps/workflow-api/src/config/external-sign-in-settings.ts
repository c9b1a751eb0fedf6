import type { UserRole } from '@weir/workflow-contract';
import type { GroupMappings } from '../access/access-of-groups';
import type { OidcClient } from '../oidc';

/** What a provider is asked for unless the settings say otherwise. */
export const defaultScopes: readonly string[] = ['openid', 'profile', 'email'];

/** Where a provider says the groups of a person unless the settings say otherwise. */
export const defaultGroupsClaim = 'groups';

/** Who of a provider may sign in, and as what. */
export interface AdmissionRules {
  /** In lower case; with either list, only people with a verified address on one of them. */
  readonly allowedEmails: readonly string[];
  readonly allowedDomains: readonly string[];
  /** Whether a person without a user gets one. */
  readonly createsUsers: boolean;
  readonly groupMappings: GroupMappings;
  /** Of people whose groups have none; missing where they may not sign in. */
  readonly defaultRole: UserRole | undefined;
  /** Whether the groups count at each sign-in, or only at the first one. */
  readonly syncsRoles: boolean;
}

export interface OidcSettings extends Omit<OidcClient, 'fetch'> {
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  /** Address by which browsers reach this server, without a slash at its end and without the base path. */
  readonly clientUrl: string;
  readonly buttonLabel: string;
  readonly rules: AdmissionRules;
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
  readonly oidc: OidcSettings | undefined;
  readonly proxy: ProxySignInSettings | undefined;
}
