import { AppError } from '@weir/foundation';
import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { UserRole } from '@weir/workflow-contract';
import { z } from 'zod';
import { GroupMappingsText } from '../access/access-of-groups';
import { SecureAddress } from '../oidc';
import { flag, folderPath, type Folders } from './config-values';
import { defaultGroupsClaim, defaultScopes, ownProviderId, type OidcSettings } from './external-sign-in-settings';

/** Maximum length of a jq expression in settings. */
export const maxExpressionLength = 10_000;

const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));
const lowerCaseWords = words.transform((list) => list.map((word) => word.toLowerCase()));

/** Settings for the sign-in with identity providers. */
export const oidcVariables = {
  WEIR_OIDC_ISSUER: {
    schema: SecureAddress.optional(),
    defaultText: 'none',
    description: 'Issuer of the identity provider with which people sign in. Needs the two below.',
  },
  WEIR_OIDC_CLIENT_ID: {
    schema: z.string().min(1).max(1024).optional(),
    defaultText: 'none',
    description: 'Id of this server at the provider.',
  },
  WEIR_OIDC_CLIENT_URL: {
    schema: SecureAddress.refine((url) => new URL(url).pathname === '/', 'must have no path').optional(),
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
  WEIR_OIDC_ROLE_EXPRESSION: {
    schema: z.string().min(1).max(maxExpressionLength).optional(),
    defaultText: 'none',
    description:
      'Roles of a person besides those of groups, as a jq expression over the claims that gives roles as the mappings do: `if .department == "ops" then "operator" else empty end`.',
  },
  WEIR_OIDC_PROVIDER_SIGN_OUT: {
    schema: flag.default(true),
    defaultText: '`true`',
    description:
      'Whether people who sign out here also sign out at the provider, if it offers that. The provider needs the address of this server, with a slash at its end, as one to return to.',
  },
  WEIR_OIDC_PROVIDERS_FILE: {
    schema: folderPath.min(1).optional(),
    defaultText: 'none',
    description: 'YAML file with further identity providers; read at the start. Needs `WEIR_OIDC_CLIENT_URL`.',
  },
} as const satisfies Variables;

export interface OidcConfig {
  /** The provider that the variables describe. */
  readonly oidc: OidcSettings | undefined;
  readonly oidcProviders: { readonly file: string; readonly clientUrl: string } | undefined;
}

export function readOidcConfig(values: VariableValues<typeof oidcVariables>, { absolute }: Folders): OidcConfig {
  const { WEIR_OIDC_PROVIDERS_FILE: file, WEIR_OIDC_CLIENT_URL: clientUrl } = values;
  const oidc = readOwnProvider(values);
  if (file === undefined) return { oidc, oidcProviders: undefined };
  if (clientUrl === undefined) throw missing('WEIR_OIDC_CLIENT_URL', 'WEIR_OIDC_PROVIDERS_FILE');
  return { oidc, oidcProviders: { file: absolute(file), clientUrl: new URL(clientUrl).origin } };
}

function readOwnProvider(values: VariableValues<typeof oidcVariables>): OidcSettings | undefined {
  const { WEIR_OIDC_ISSUER: issuer, WEIR_OIDC_CLIENT_ID: clientId, WEIR_OIDC_CLIENT_URL: clientUrl } = values;
  if (issuer === undefined) return undefined;
  if (clientId === undefined) throw missing('WEIR_OIDC_CLIENT_ID', 'WEIR_OIDC_ISSUER');
  if (clientUrl === undefined) throw missing('WEIR_OIDC_CLIENT_URL', 'WEIR_OIDC_ISSUER');
  const { WEIR_OIDC_CLIENT_SECRET: secret, WEIR_OIDC_DEFAULT_ROLE: defaultRole } = values;
  return {
    id: ownProviderId,
    issuer,
    clientId,
    clientUrl: new URL(clientUrl).origin,
    clientSecret: secret === undefined ? undefined : new Secret(secret),
    scopes: values.WEIR_OIDC_SCOPES,
    groupsClaim: values.WEIR_OIDC_GROUPS_CLAIM,
    roleExpression: values.WEIR_OIDC_ROLE_EXPRESSION,
    signsOutThere: values.WEIR_OIDC_PROVIDER_SIGN_OUT,
    buttonLabel: values.WEIR_OIDC_BUTTON_LABEL,
    rules: {
      allowedEmails: values.WEIR_OIDC_WHITELIST,
      allowedDomains: values.WEIR_OIDC_ALLOWED_DOMAINS,
      createsUsers: values.WEIR_OIDC_AUTO_SIGNUP,
      groupMappings: values.WEIR_OIDC_GROUP_MAPPINGS,
      defaultRole: defaultRole === 'none' ? undefined : defaultRole,
      syncsRoles: !values.WEIR_OIDC_SKIP_ORG_ROLE_SYNC,
    },
  };
}

function missing(variable: string, needing: string): AppError {
  return new AppError('invalid_request', `${variable} is needed with ${needing}.`, { reason: 'request_invalid' });
}
