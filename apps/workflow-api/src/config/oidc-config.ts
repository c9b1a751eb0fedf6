import { AppError } from '@weir/foundation';
import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { UserRole } from '@weir/workflow-contract';
import { z } from 'zod';
import { GroupMappingsText } from '../access/access-of-groups';
import { isSecureAddress } from '../oidc';
import { flag } from './config-values';
import { defaultGroupsClaim, defaultScopes, type OidcSettings } from './external-sign-in-settings';

const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));
const lowerCaseWords = words.transform((list) => list.map((word) => word.toLowerCase()));
const secureUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .refine(isSecureAddress, 'must be an https address; http is for this machine only');

/** Settings for the sign-in with an identity provider. */
export const oidcVariables = {
  WEIR_OIDC_ISSUER: {
    schema: secureUrl.optional(),
    defaultText: 'none',
    description: 'Issuer of the identity provider with which people sign in. Needs the two below.',
  },
  WEIR_OIDC_CLIENT_ID: {
    schema: z.string().min(1).max(1024).optional(),
    defaultText: 'none',
    description: 'Id of this server at the provider.',
  },
  WEIR_OIDC_CLIENT_URL: {
    schema: secureUrl.refine((url) => new URL(url).pathname === '/', 'must have no path').optional(),
    defaultText: 'none',
    description:
      'Address by which browsers reach this server, without base path. The provider needs it with `/oidc-callback` after the base path.',
  },
  WEIR_OIDC_CLIENT_SECRET: {
    schema: z.string().min(1).max(4096).optional(),
    defaultText: 'none: a public client',
    description: 'Secret of this server at the provider.',
  },
  WEIR_OIDC_SCOPES: {
    schema: words.refine((list) => list.includes('openid'), 'must include openid').default([...defaultScopes]),
    defaultText: '`openid,profile,email`',
    description: 'What the provider is asked for.',
  },
  WEIR_OIDC_BUTTON_LABEL: {
    schema: z.string().min(1).max(60).default('Sign in with single sign-on'),
    defaultText: '`Sign in with single sign-on`',
    description: 'Text of the button.',
  },
  WEIR_OIDC_WHITELIST: {
    schema: lowerCaseWords.default([]),
    defaultText: 'none',
    description: 'Verified e-mail addresses that may sign in. With this or the domains, no others may.',
  },
  WEIR_OIDC_ALLOWED_DOMAINS: {
    schema: lowerCaseWords.default([]),
    defaultText: 'none',
    description: 'Domains of verified e-mail addresses that may sign in.',
  },
  WEIR_OIDC_AUTO_SIGNUP: {
    schema: flag.default(true),
    defaultText: '`true`',
    description: 'Whether a person who signs in for the first time becomes a user.',
  },
  WEIR_OIDC_DEFAULT_ROLE: {
    schema: z.union([UserRole, z.literal('none')], 'must be a role or none').default('viewer'),
    defaultText: '`viewer`',
    description: 'Role of people whose groups give none; with `none` they may not sign in.',
  },
  WEIR_OIDC_GROUPS_CLAIM: {
    schema: z.string().min(1).max(256).default(defaultGroupsClaim),
    defaultText: '`groups`',
    description: 'Claim with the groups of a person, or the path to it: `realm_access.roles`.',
  },
  WEIR_OIDC_GROUP_MAPPINGS: {
    schema: GroupMappingsText.default(new Map()),
    defaultText: 'none',
    description:
      'Roles of groups, as JSON: `{"admins": "admin", "shop-team": ["developer@shop"]}`; `developer@shop` counts in the workspace `shop` only.',
  },
  WEIR_OIDC_SKIP_ORG_ROLE_SYNC: {
    schema: flag.default(false),
    defaultText: '`false`',
    description: 'With `true`, groups count at the first sign-in only, and admins change roles here.',
  },
} as const satisfies Variables;

export interface OidcConfig {
  readonly oidc: OidcSettings | undefined;
}

export function readOidcConfig(values: VariableValues<typeof oidcVariables>): OidcConfig {
  const { WEIR_OIDC_ISSUER: issuer, WEIR_OIDC_CLIENT_ID: clientId, WEIR_OIDC_CLIENT_URL: clientUrl } = values;
  if (issuer === undefined) return { oidc: undefined };
  if (clientId === undefined) throw missing('WEIR_OIDC_CLIENT_ID');
  if (clientUrl === undefined) throw missing('WEIR_OIDC_CLIENT_URL');
  const { WEIR_OIDC_CLIENT_SECRET: secret, WEIR_OIDC_DEFAULT_ROLE: defaultRole } = values;
  return {
    oidc: {
      issuer,
      clientId,
      clientUrl: new URL(clientUrl).origin,
      clientSecret: secret === undefined ? undefined : new Secret(secret),
      scopes: values.WEIR_OIDC_SCOPES,
      groupsClaim: values.WEIR_OIDC_GROUPS_CLAIM,
      buttonLabel: values.WEIR_OIDC_BUTTON_LABEL,
      rules: {
        allowedEmails: values.WEIR_OIDC_WHITELIST,
        allowedDomains: values.WEIR_OIDC_ALLOWED_DOMAINS,
        createsUsers: values.WEIR_OIDC_AUTO_SIGNUP,
        groupMappings: values.WEIR_OIDC_GROUP_MAPPINGS,
        defaultRole: defaultRole === 'none' ? undefined : defaultRole,
        syncsRoles: !values.WEIR_OIDC_SKIP_ORG_ROLE_SYNC,
      },
    },
  };
}

function missing(variable: string): AppError {
  return new AppError('invalid_request', `${variable} is needed with WEIR_OIDC_ISSUER.`, { reason: 'request_invalid' });
}
