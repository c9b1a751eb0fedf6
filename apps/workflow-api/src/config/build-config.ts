import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { duration } from './config-values';

/** Limits how many outputs of builds, and how many tools, are kept. */
export const buildVariables = {
  WEIR_BUILD_CACHE_MIB: {
    schema: z.coerce.number().int().min(0).max(16_777_216).default(2048),
    defaultText: '`2048`',
    description: 'Size of the files that steps of builds have made and that can be restored, in MiB; 0 keeps none.',
  },
  WEIR_BUILD_CACHE_AGE: {
    schema: duration.refine((seconds) => seconds >= 60, 'must be at least 1m').default(30 * 86_400),
    defaultText: '`30d`',
    description: 'How long such files are kept after they were last used; at least a minute.',
  },
  WEIR_TOOLS_AGE: {
    schema: duration.refine((seconds) => seconds >= 86_400, 'must be at least 1d').default(90 * 86_400),
    defaultText: '`90d`',
    description:
      'How long command-line tools that runs have installed are kept after they were last used; at least a day.',
  },
} as const satisfies Variables;

export interface BuildConfig {
  readonly buildCache: { readonly maxBytes: number; readonly maxAgeMs: number };
  readonly tools: { readonly maxAgeMs: number };
}

export function readBuildConfig(values: VariableValues<typeof buildVariables>): BuildConfig {
  return {
    buildCache: { maxBytes: values.WEIR_BUILD_CACHE_MIB * 1_048_576, maxAgeMs: values.WEIR_BUILD_CACHE_AGE * 1000 },
    tools: { maxAgeMs: values.WEIR_TOOLS_AGE * 1000 },
  };
}
