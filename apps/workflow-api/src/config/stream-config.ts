import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';

/** Limits how many clients may follow changes. */
export const streamVariables = {
  WEIR_MAX_STREAMS: {
    schema: z.coerce.number().int().min(1).max(10_000).default(1_000),
    defaultText: '`1000`',
    description: 'How many streams of events, and how many followed logs, a server has at a time: 1 to 10000.',
  },
} as const satisfies Variables;

export interface StreamConfig {
  readonly streams: { readonly maxStreams: number };
}

export function readStreamConfig(values: VariableValues<typeof streamVariables>): StreamConfig {
  return { streams: { maxStreams: values.WEIR_MAX_STREAMS } };
}
