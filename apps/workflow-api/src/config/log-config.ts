import path from 'node:path';
import { logLevels, type LogLevel, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import type { Folders } from './config-values';

/** Settings for the log of the server, and for the folder with the logs of runs. */
export const logVariables = {
  WEIR_LOG_LEVEL: {
    schema: z.enum(logLevels).default('info'),
    defaultText: '`info`',
    description: `One of ${logLevels.join(', ')}.`,
  },
  WEIR_LOG_FORMAT: {
    schema: z.enum(['text', 'json'], 'must be text or json').default('text'),
    defaultText: '`text`',
    description: '`json` writes one object per line.',
  },
} as const satisfies Variables;

export interface LogConfig {
  readonly logs: { readonly folder: string };
  readonly log: { readonly level: LogLevel; readonly format: 'text' | 'json' };
}

export function readLogConfig(values: VariableValues<typeof logVariables>, { home }: Folders): LogConfig {
  return {
    logs: { folder: path.join(home, 'logs') },
    log: { level: values.WEIR_LOG_LEVEL, format: values.WEIR_LOG_FORMAT },
  };
}
