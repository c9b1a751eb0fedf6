import type { JsonSchema } from '../../shapes/json-schema/json-schema';

/** Keys that concern a process, which a human task does not have, or other gates. */
export const notInHumanTask = [
  'retry_policy',
  'repeat_policy',
  'timeout_sec',
  'signal_on_stop',
  'idempotent',
  'mail_on_error',
  'approval',
  'parallel',
  'stdout',
  'stderr',
  'log_output',
  'output',
  'output_schema',
  'outputs',
  'dependencies',
  'working_dir',
  'container',
  'worker_selector',
] as const;

/** Expresses the same rule for the schema of a step. */
export const humanTaskRule: JsonSchema = {
  if: { required: ['action'], properties: { action: { const: 'human.task' } } },
  then: { required: ['id'], properties: Object.fromEntries(notInHumanTask.map((key) => [key, { type: 'null' }])) },
};
