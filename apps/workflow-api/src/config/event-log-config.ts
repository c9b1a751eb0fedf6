import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { duration } from './config-values';

/** Limits the size of the event log. */
export const eventLogVariables = {
  WEIR_EVENT_LOG_LIMIT: {
    schema: z.coerce.number().int().min(1_000).max(10_000_000).default(100_000),
    defaultText: '`100000`',
    description: 'How many entries of the event log are kept: 1000 to 10000000.',
  },
  WEIR_EVENT_LOG_AGE: {
    schema: duration.refine((seconds) => seconds >= 60, 'must be at least 1m').default(30 * 86_400),
    defaultText: '`30d`',
    description: 'How long entries of the event log are kept; at least a minute.',
  },
} as const satisfies Variables;

export interface EventLogConfig {
  readonly events: { readonly maxEvents: number; readonly maxEventAgeMs: number };
}

export function readEventLogConfig(values: VariableValues<typeof eventLogVariables>): EventLogConfig {
  return { events: { maxEvents: values.WEIR_EVENT_LOG_LIMIT, maxEventAgeMs: values.WEIR_EVENT_LOG_AGE * 1000 } };
}
