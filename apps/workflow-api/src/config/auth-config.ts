import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { duration, type Folders } from './config-values';

const maxTokenSeconds = 8760 * 3600;

/** Settings for the callers of the server. */
export const authVariables = {
  WEIR_AUTH_MODE: {
    schema: z.enum(['builtin', 'none'], 'must be builtin or none').default('builtin'),
    defaultText: '`builtin`',
    description: 'With `none`, everyone who can reach the server has all permissions.',
  },
  WEIR_JWT_SECRET: {
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
    defaultText: 'generated once, stored in `$WEIR_HOME/auth`',
    description: 'Key that signs tokens; changing it invalidates all tokens.',
  },
  WEIR_TOKEN_TTL: {
    schema: duration
      .refine((seconds) => seconds >= 1 && seconds <= maxTokenSeconds, 'must be between 1s and 8760h')
      .default(86_400),
    defaultText: '`24h`',
    description: 'How long a token is valid.',
  },
  WEIR_JOB_TRUST_FILE: {
    schema: z.string().min(1).max(4096).optional(),
    defaultText: 'none',
    description: 'YAML file with the CI platforms whose jobs sign in by their OIDC tokens, and what they may do.',
  },
} as const satisfies Variables;

export interface AuthConfig {
  readonly auth: {
    readonly mode: 'builtin' | 'none';
    /** When `undefined`, the secret is stored in a file below the home folder. */
    readonly jwtSecret: Secret | undefined;
    readonly tokenTtlSeconds: number;
    /** An absolute path. */
    readonly jobTrustFile: string | undefined;
  };
}

export function readAuthConfig(values: VariableValues<typeof authVariables>, { absolute }: Folders): AuthConfig {
  const { WEIR_JOB_TRUST_FILE: jobTrustFile } = values;
  return {
    auth: {
      mode: values.WEIR_AUTH_MODE,
      jwtSecret: values.WEIR_JWT_SECRET === undefined ? undefined : new Secret(values.WEIR_JWT_SECRET),
      tokenTtlSeconds: values.WEIR_TOKEN_TTL,
      jobTrustFile: jobTrustFile === undefined ? undefined : absolute(jobTrustFile),
    },
  };
}
