import type { SourceLocation } from '../../source/findings/source-location';
import type { StepRun } from '../../model/step';
import { compact } from '../../model/compact';
import { notInHumanTask } from '../../keys/step-keys/human-task-rule';
import type { StepOptions } from '../scope/step-options';
import type { YamlValue } from '../../source/yaml/yaml-value';
import { reportField } from '../../shapes/report-deprecated';
import type { ActionCall, StepFields } from '../form/step-form';

const scopeNames = {
  handler: 'a handler',
  foreach: 'a foreach body',
  agent: 'a DAG of type agent',
} as const;

export function checkHumanTask(call: ActionCall, fields: StepFields, step: YamlValue, { scope }: StepOptions): void {
  const { report } = step.context;
  if (!fields.id) report.add('missing_key', call.location, `${call.name} requires an explicit id`);
  const code = scope === 'handler' ? 'not_in_handler' : 'human_task_not_allowed';
  if (scope) report.add(code, call.location, `${call.name} is not allowed in ${scopeNames[scope]}`);
  const given: Readonly<Record<string, { readonly keyLocation: SourceLocation } | undefined>> = fields;
  for (const key of notInHumanTask) {
    const field = given[key];
    if (field) reportField(call.name, key, field.keyLocation, step);
  }
}

export function isHumanTask(run: StepRun): boolean {
  return run.kind === 'action' && run.action === 'human.task';
}

/** Returns the step defaults that apply to a human task: none about attempts and time limits. */
export function forHumanTask({ defaults, ...options }: StepOptions): StepOptions {
  if (!defaults) return options;
  const { env, preconditions, continueOn } = defaults;
  return { ...options, defaults: compact({ env, preconditions, continueOn }) };
}
