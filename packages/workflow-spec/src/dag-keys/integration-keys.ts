import type { Part } from '../compact';
import type { DagSettings } from '../dag';
import { otel } from '../integration/otel';
import { runConfig } from '../integration/run-config';
import { webhook } from '../integration/webhook';
import { keySpec } from '../read/object-kind';
import type { Fields } from '../read/read-object';

/** How the DAG meets the world outside. */
export const integrationKeys = {
  run_config: keySpec('What the start form lets people change', runConfig),
  webhook: keySpec('What runs started by the webhook are given', webhook),
  otel: keySpec('Tracing of runs', otel),
} as const;

export const integrationUnsupported = {
  tasks: 'goals of an agent DAG',
} as const;

export function integrationOf(fields: Fields<typeof integrationKeys>): Part<DagSettings> {
  return { runConfig: fields.run_config?.value, webhook: fields.webhook?.value, otel: fields.otel?.value };
}
