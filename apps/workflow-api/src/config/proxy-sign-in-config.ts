import type { Variables, VariableValues } from '@weir/service-kit';
import { UserRole } from '@weir/workflow-contract';
import { z } from 'zod';
import { GroupMappingsText } from '../access/access-of-groups';
import { flag } from './config-values';
import type { ExternalSignInOptions } from './external-sign-in-settings';
import { proxyEntries } from './server-config';

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header')
  .transform((name) => name.toLowerCase());

/** Settings for the sign-in by headers of a reverse proxy. */
export const proxySignInVariables = {
  WEIR_PROXY_SIGN_IN_FROM: {
    schema: proxyEntries.optional(),
    defaultText: 'none',
    description:
      'Addresses or networks of the reverse proxy that says who people are, separated by commas. Without it, no proxy does. Every program at these addresses can sign in as anyone.',
  },
  WEIR_PROXY_USER_HEADER: {
    schema: headerName.default('x-forwarded-user'),
    defaultText: '`X-Forwarded-User`',
    description: 'Header with the name of the person, which the proxy must set or remove in every request.',
  },
  WEIR_PROXY_GROUPS_HEADER: {
    schema: headerName.default('x-forwarded-groups'),
    defaultText: '`X-Forwarded-Groups`',
    description: 'Header with their groups, separated by commas.',
  },
  WEIR_PROXY_BUTTON_LABEL: {
    schema: z.string().min(1).max(60).default('Sign in with the proxy'),
    defaultText: '`Sign in with the proxy`',
    description: 'Text of the button.',
  },
  WEIR_PROXY_AUTO_SIGNUP: {
    schema: flag.default(true),
    defaultText: '`true`',
    description: 'Whether a person who signs in for the first time becomes a user.',
  },
  WEIR_PROXY_DEFAULT_ROLE: {
    schema: z.union([UserRole, z.literal('none')], 'must be a role or none').default('viewer'),
    defaultText: '`viewer`',
    description: 'Role of people whose groups give none; with `none` they may not sign in.',
  },
  WEIR_PROXY_GROUP_MAPPINGS: {
    schema: GroupMappingsText.default(new Map()),
    defaultText: 'none',
    description: 'Roles of groups, as in `WEIR_OIDC_GROUP_MAPPINGS`.',
  },
  WEIR_PROXY_SKIP_ORG_ROLE_SYNC: {
    schema: flag.default(false),
    defaultText: '`false`',
    description: 'With `true`, groups count at the first sign-in only.',
  },
} as const satisfies Variables;

export interface ProxySignInConfig {
  readonly proxySignIn: ExternalSignInOptions['proxy'];
}

export function readProxySignInConfig(values: VariableValues<typeof proxySignInVariables>): ProxySignInConfig {
  const { WEIR_PROXY_SIGN_IN_FROM: addresses, WEIR_PROXY_DEFAULT_ROLE: defaultRole } = values;
  if (addresses === undefined) return { proxySignIn: undefined };
  return {
    proxySignIn: {
      addresses,
      userHeader: values.WEIR_PROXY_USER_HEADER,
      groupsHeader: values.WEIR_PROXY_GROUPS_HEADER,
      buttonLabel: values.WEIR_PROXY_BUTTON_LABEL,
      rules: {
        allowedEmails: [],
        allowedDomains: [],
        createsUsers: values.WEIR_PROXY_AUTO_SIGNUP,
        groupMappings: values.WEIR_PROXY_GROUP_MAPPINGS,
        defaultRole: defaultRole === 'none' ? undefined : defaultRole,
        syncsRoles: !values.WEIR_PROXY_SKIP_ORG_ROLE_SYNC,
      },
    },
  };
}
