import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';

/** Settings for the content and the readers of `GET /metrics`. */
export const metricsVariables = {
  WEIR_METRICS: {
    schema: z.enum(['private', 'public'], 'must be private or public').default('private'),
    defaultText: '`private`',
    description: 'Whether `GET /metrics` needs a credential (`private`) or not (`public`).',
  },
  WEIR_METRICS_PREFIX: {
    schema: z
      .string()
      .regex(/^[a-z][a-z_]{0,31}$/, 'must be lower-case letters and underscores')
      .default('weir_'),
    defaultText: '`weir_`',
    description: 'What the names of the metrics begin with. Dashboards made for Dagu need `dagu_`.',
  },
} as const satisfies Variables;

export interface MetricsConfig {
  readonly metrics: { readonly isPublic: boolean; readonly prefix: string };
}

export function readMetricsConfig(values: VariableValues<typeof metricsVariables>): MetricsConfig {
  return { metrics: { isPublic: values.WEIR_METRICS === 'public', prefix: values.WEIR_METRICS_PREFIX } };
}
