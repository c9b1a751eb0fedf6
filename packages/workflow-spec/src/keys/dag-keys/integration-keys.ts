import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { agentTasks } from './agent-tasks';
import { otel } from './otel';
import { runConfig } from './run-config';
import { webhook } from './webhook';
import { keySpec } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';

export const integrationKeys = {
  run_config: keySpec('What people may change when they start a run', runConfig),
  webhook: keySpec('What runs started by the webhook receive', webhook),
  otel: keySpec('Tracing of runs', otel),
  tasks: keySpec('The goals of a DAG of type agent', agentTasks),
} as const;

export function readIntegrationSettings(fields: Fields<typeof integrationKeys>): Part<DagSettings> {
  return { runConfig: fields.run_config?.value, webhook: fields.webhook?.value, otel: fields.otel?.value };
}
