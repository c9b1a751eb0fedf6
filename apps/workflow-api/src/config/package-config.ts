import path from 'node:path';
import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { duration } from './config-values';

/** Settings for the source and the retention of packaged actions. */
export const packageVariables = {
  WEIR_ACTIONS_SOURCE: {
    schema: z
      .string()
      .regex(
        /^(?:https?:\/\/[^\s@/]+|ssh:\/\/[^\s-]\S*|file:\/\/\/|\/)\S*$/,
        'must be an address of git, or an absolute path',
      )
      .default('https://github.com'),
    defaultText: '`https://github.com`',
    description: 'Address below which the repositories of packaged actions such as `acme/notify@v1` are.',
  },
  WEIR_ACTIONS_TOKEN_FILE: {
    schema: z.string().min(1).optional(),
    defaultText: 'none',
    description:
      'File with the token for `WEIR_ACTIONS_SOURCE`, which is read for every fetch; it is sent to no other address. Without it, git finds the credentials of the user of the server.',
  },
  WEIR_ACTIONS_AGE: {
    schema: duration.refine((seconds) => seconds >= 86_400, 'must be at least 1d').default(90 * 86_400),
    defaultText: '`90d`',
    description: 'How long packaged actions are kept after a run has last used them; at least a day.',
  },
} as const satisfies Variables;

export interface PackageConfig {
  readonly packages: { readonly source: string; readonly tokenFile: string | undefined; readonly maxAgeMs: number };
}

export function readPackageConfig(values: VariableValues<typeof packageVariables>): PackageConfig {
  const { WEIR_ACTIONS_SOURCE: source, WEIR_ACTIONS_TOKEN_FILE: tokenFile, WEIR_ACTIONS_AGE: age } = values;
  return {
    packages: {
      source,
      tokenFile: tokenFile === undefined ? undefined : path.resolve(tokenFile),
      maxAgeMs: age * 1000,
    },
  };
}
